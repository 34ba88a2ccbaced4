/* Products of matrices by a warp of the emulated GPU: against the product that the formula gives,
 * entry by entry, and what must be reported. */
#include "cuda/scene.h"

#include <cmath>

enum { ROWS = 8, COLUMNS = 8, INNER = 4, WARPS = 3, TIMES = 5 };

/* Each warp adds TIMES products to its matrix. The arrays have rows one after the other. */
__global__ static void multiply_all(const double *a, const double *b, double *c)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double *of_warp = c + ROWS * COLUMNS * warp;
    double sum[2];
    for (int i = 0; i < 2; i++) sum[i] = of_warp[COLUMNS * (lane / 4) + 2 * (lane % 4) + i];
    for (int i = 0; i < TIMES; i++) {
        const int which = TIMES * warp + i;
        ARMILLA_MULTIPLY_MATRICES(a[ROWS * INNER * which + INNER * (lane / 4) + lane % 4],
                                  b[INNER * COLUMNS * which + COLUMNS * (lane % 4) + lane / 4],
                                  sum);
    }
    for (int i = 0; i < 2; i++) of_warp[COLUMNS * (lane / 4) + 2 * (lane % 4) + i] = sum[i];
}

/* Numbers that are all different, and not symmetric in any two indices. */
static std::vector<double> numbers(size_t count, double step)
{
    std::vector<double> result(count);
    for (size_t i = 0; i < count; i++) result[i] = std::sin(step * (double)(i * i + 1));
    return result;
}

static double entry(const std::vector<double> &a, const std::vector<double> &b, double c, int warp,
                    int row, int column)
{
    for (int i = 0; i < TIMES; i++)
        for (int k = 0; k < INNER; k++)
            c = std::fma(a[(size_t)(ROWS * INNER * (TIMES * warp + i) + INNER * row + k)],
                         b[(size_t)(INNER * COLUMNS * (TIMES * warp + i) + COLUMNS * k + column)],
                         c);
    return c;
}

static void a_warp_multiplies_matrices(void **)
{
    const std::vector<double> a = numbers(WARPS * TIMES * ROWS * INNER, 0.37),
                              b = numbers(WARPS * TIMES * INNER * COLUMNS, 0.73),
                              c = numbers(WARPS * ROWS * COLUMNS, 0.11);
    for (int order = CUDA_EMULATION_FORWARD; order <= CUDA_EMULATION_RANDOM; order++) {
        device_array<double> device_a(a), device_b(b), device_c(c);
        cuda_emulation_set_order((cuda_emulation_order)order, 3);
        ARMILLA_LAUNCH(multiply_all, 1, 32 * WARPS, 0, nullptr, device_a.values, device_b.values,
                       device_c.values);
        cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
        assert_int_equal(cudaGetLastError(), cudaSuccess);
        const std::vector<double> made = device_c.read();
        for (int warp = 0; warp < WARPS; warp++)
            for (int row = 0; row < ROWS; row++)
                for (int column = 0; column < COLUMNS; column++) {
                    const size_t i = (size_t)(ROWS * COLUMNS * warp + COLUMNS * row + column);
                    if (made[i] != entry(a, b, c[i], warp, row, column))
                        fail_msg("order %d, warp %d, row %d, column %d: %g", order, warp, row,
                                 column, made[i]);
                }
    }
}

__global__ static void multiply_without(int lane)
{
    double sum[2] = {0, 0};
    if ((int)threadIdx.x == lane) return;
    ARMILLA_MULTIPLY_MATRICES(1, 1, sum);
}

static void a_warp_with_a_lane_missing_is_reported(void **)
{
    check_report([] { ARMILLA_LAUNCH(multiply_without, 1, 32, 0, nullptr, 9); },
                 "but thread 9 has ended");
    check_report([] { ARMILLA_LAUNCH(multiply_without, 1, 24, 0, nullptr, 32); },
                 "but the block has no thread 24 of mask ffffffff");
    ARMILLA_LAUNCH(multiply_without, 1, 64, 0, nullptr, 64);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_multiplies_matrices),
        cmocka_unit_test(a_warp_with_a_lane_missing_is_reported),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
