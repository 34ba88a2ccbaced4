/* Products of matrices by a warp of the emulated GPU: against the product that the formula gives,
 * entry by entry, and what must be reported. */
#include "cuda/scene.h"

#include <cmath>

enum { TALL = 16, COLUMNS = 8, INNER = 4, WARPS = 3, TIMES = 5 };

/* Each warp adds TIMES products to its matrix of ROWS x COLUMNS numbers. The arrays have rows one
 * after the other. NVIDIA's layout: a[h] at row lane / 4 + 8 h, column lane % 4; b at row lane % 4,
 * column lane / 4; c[i] at row lane / 4 + 8 (i / 2), column 2 (lane % 4) + i % 2. */
template <int ROWS> __global__ static void multiply_all(const double *a, const double *b, double *c)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double *of_warp = c + ROWS * COLUMNS * warp;
    const auto place = [lane](int i) {
        return COLUMNS * (lane / 4 + 8 * (i / 2)) + 2 * (lane % 4) + i % 2;
    };
    double sum[ROWS / 4], left[ROWS / 8];
    for (int i = 0; i < ROWS / 4; i++) sum[i] = of_warp[place(i)];
    for (int i = 0; i < TIMES; i++) {
        const int which = TIMES * warp + i;
        for (int h = 0; h < ROWS / 8; h++)
            left[h] = a[ROWS * INNER * which + INNER * (lane / 4 + 8 * h) + lane % 4];
        const double right = b[INNER * COLUMNS * which + COLUMNS * (lane % 4) + lane / 4];
        if constexpr (ROWS == TALL)
            ARMILLA_MULTIPLY_TALL(left, right, sum);
        else
            ARMILLA_MULTIPLY_MATRICES(left[0], right, sum);
    }
    for (int i = 0; i < ROWS / 4; i++) of_warp[place(i)] = sum[i];
}

/* Numbers that are all different, and not symmetric in any two indices. */
static std::vector<double> numbers(int count, double step)
{
    std::vector<double> result((size_t)count);
    for (size_t i = 0; i < result.size(); i++) result[i] = std::sin(step * (double)(i * i + 1));
    return result;
}

/* The formula: products are added one after the other, each rounded once with its sum. */
template <int ROWS>
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

template <int ROWS> static void check_products(cuda_emulation_order order)
{
    const std::vector<double> a = numbers(WARPS * TIMES * ROWS * INNER, 0.37),
                              b = numbers(WARPS * TIMES * INNER * COLUMNS, 0.73),
                              c = numbers(WARPS * ROWS * COLUMNS, 0.11);
    device_array<double> device_a(a), device_b(b), device_c(c);
    cuda_emulation_set_order(order, 3);
    ARMILLA_LAUNCH(multiply_all<ROWS>, 1, 32 * WARPS, 0, nullptr, device_a.values, device_b.values,
                   device_c.values);
    cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    const std::vector<double> made = device_c.read();
    for (int warp = 0; warp < WARPS; warp++)
        for (int row = 0; row < ROWS; row++)
            for (int column = 0; column < COLUMNS; column++) {
                const size_t i = (size_t)(ROWS * COLUMNS * warp + COLUMNS * row + column);
                if (made[i] != entry<ROWS>(a, b, c[i], warp, row, column))
                    fail_msg("%d rows, order %d, warp %d, row %d, column %d: %g", ROWS, order, warp,
                             row, column, made[i]);
            }
}

static void a_warp_multiplies_matrices(void **)
{
    for (int order = CUDA_EMULATION_FORWARD; order <= CUDA_EMULATION_RANDOM; order++) {
        check_products<8>((cuda_emulation_order)order);
        check_products<TALL>((cuda_emulation_order)order);
    }
}

/* Kernels that were compiled for another GPU have no products; a launch of one would take the
 * context with it. */
static void a_product_that_was_left_out_is_a_trap(void **)
{
    cuda_emulation_set_target(86);
    check_report([] { check_products<8>(CUDA_EMULATION_FORWARD); }, "compiled for 8.6");
    check_report([] { check_products<TALL>(CUDA_EMULATION_FORWARD); }, "compiled for 8.6");
    cuda_emulation_set_target(80);
    check_products<TALL>(CUDA_EMULATION_FORWARD);
    cuda_emulation_set_target(0);
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
        cmocka_unit_test(a_product_that_was_left_out_is_a_trap),
        cmocka_unit_test(a_warp_with_a_lane_missing_is_reported),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
