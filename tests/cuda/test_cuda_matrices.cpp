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

/* --- Halves ----------------------------------------------------------------------------------- */

/* Products of 16 x 16 and 16 x 8 numbers of 16 bits, whose rows lie in shared memory. right: its
 * columns lie there as rows, or, turned, its rows. */
template <bool IS_TURNED>
__global__ static void multiply_halves_of_all(const float *a, const float *b, float *c)
{
    ARMILLA_SHARED(unsigned, row); /* four words of eight numbers */
    const int lane = threadIdx.x % 32, q = lane / 4, r = lane % 4;
    for (int i = lane; i < 16 * 8; i += 32) {
        const int of = i / 8, k = 2 * (i % 8);
        row[4 * (of + 16 * (k / 8)) + k % 8 / 2] =
            ARMILLA_PACK_HALVES(a[16 * of + k], a[16 * of + k + 1]);
    }
    unsigned *right = row + 128;
    for (int i = lane; i < 64; i += 32) {
        const int n = i / 8, k = 2 * (i % 8), j = i % 4; /* turned: row i / 4, columns 2 j */
        if (IS_TURNED)
            right[i] = ARMILLA_PACK_HALVES(b[8 * (i / 4) + 2 * j], b[8 * (i / 4) + 2 * j + 1]);
        else
            right[4 * (n + 8 * (k / 8)) + k % 8 / 2] =
                ARMILLA_PACK_HALVES(b[8 * k + n], b[8 * (k + 1) + n]);
    }
    __syncwarp();
    unsigned left[4], two[4];
    float sum[4] = {0, 0, 0, 0};
    ARMILLA_LOAD_ROWS(&row[4 * lane], left);
    if (IS_TURNED)
        ARMILLA_LOAD_COLUMNS(&right[4 * (lane % 16)], two);
    else
        ARMILLA_LOAD_ROWS(&right[4 * (lane % 16)], two);
    ARMILLA_MULTIPLY_HALVES(left, two, sum);
    for (int i = 0; i < 4; i++) c[8 * (q + i / 2 * 8) + 2 * r + i % 2] = sum[i];
}

template <bool IS_TURNED> static void check_halves()
{
    std::vector<float> a(16 * 16), b(16 * 8), c(16 * 8);
    for (size_t i = 0; i < a.size(); i++) a[i] = (float)((int)(i * i * 7 % 127) - 63) / 8;
    for (size_t i = 0; i < b.size(); i++) b[i] = (float)((int)(i * i * 11 % 101) - 50) / 4;
    device_array<float> device_a(a), device_b(b), device_c(c);
    ARMILLA_LAUNCH(multiply_halves_of_all<IS_TURNED>, 1, 32, 192 * sizeof(unsigned), nullptr,
                   device_a.values, device_b.values, device_c.values);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    const std::vector<float> made = device_c.read();
    for (size_t i = 0; i < 16; i++)
        for (size_t j = 0; j < 8; j++) {
            float sum = 0; /* exact: parts of 32 */
            for (size_t k = 0; k < 16; k++) sum += a[16 * i + k] * b[8 * k + j];
            if (made[8 * i + j] != sum)
                fail_msg("turned %d, row %zu, column %zu: %g, not %g", IS_TURNED, i, j,
                         made[8 * i + j], sum);
        }
}

static void a_warp_multiplies_halves(void **)
{
    check_halves<false>();
    check_halves<true>();
}

/* The nearest half, the even one of two, down to 2^-24; and back. */
static void halves_are_rounded(void **)
{
    const struct {
        float number;
        unsigned bits;
    } known[] = {{0, 0},
                 {-0.0f, 0x8000},
                 {1, 0x3c00},
                 {-2, 0xc000},
                 {65504, 0x7bff},
                 {65520, 0x7c00},
                 {0x1p-14f, 0x0400},
                 {0x1p-24f, 1},
                 {0x1p-25f, 0},
                 {0x1.8p-24f, 2},
                 {1 + 0x1p-11f, 0x3c00},
                 {1 + 0x3p-11f, 0x3c02},
                 {0.1f, 0x2e66},
                 {-INFINITY, 0xfc00},
                 {2047, 0x67ff},
                 {0x1.ff8p-15f, 0x03ff}};
    for (const auto &k : known) {
        const unsigned bits = ARMILLA_PACK_HALVES(k.number, 0.0f);
        if (bits != k.bits) fail_msg("%a is 0x%04x, not 0x%04x", k.number, bits, k.bits);
        assert_int_equal(ARMILLA_PACK_HALVES(0.0f, k.number), k.bits << 16);
    }
    for (unsigned bits = 0; bits < 0x7c00; bits++)
        assert_int_equal(ARMILLA_PACK_HALVES(ARMILLA_LOW_HALF(bits), 0.0f), bits);
    assert_true(std::isnan(ARMILLA_HIGH_HALF(0x7e000000u)));
}

/* Kernels that were compiled for another GPU have no products; a launch of one would take the
 * context with it. */
static void a_product_that_was_left_out_is_a_trap(void **)
{
    cuda_emulation_set_target(86);
    check_report([] { check_products<8>(CUDA_EMULATION_FORWARD); }, "compiled for 8.6");
    check_report([] { check_products<TALL>(CUDA_EMULATION_FORWARD); }, "compiled for 8.6");
    check_report([] { check_halves<false>(); }, "compiled for 8.6");
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
        cmocka_unit_test(a_warp_multiplies_halves),
        cmocka_unit_test(halves_are_rounded),
        cmocka_unit_test(a_product_that_was_left_out_is_a_trap),
        cmocka_unit_test(a_warp_with_a_lane_missing_is_reported),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
