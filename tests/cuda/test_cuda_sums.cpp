/* Sums over the lanes of a warp (kernels/legendre_sums.h): each must have the bits of the plain
 * sequence, in which lanes 16 apart are added first, then 8, 4, 2 and 1 apart, and lie at its
 * place. */
#include "cuda/scene.h"

#include "cuda/kernels/legendre_sums.h"

#include <cmath>
#include <random>
#include <type_traits>

enum { TWO_WARPS = 2, AT = 32 };

/* values[warp][step][4 set + value][lane], as many steps as make SUMS numbers. A lane takes those
 * of a set as kernels take leg: the sets of a step in its sequence, then the values of each. */
template <typename NUMBER, typename T, int NSETS>
__global__ static void add_lanes(const NUMBER *values, T *out)
{
    typedef chunk_sums<T, NSETS, TWO_WARPS> all_sums;
    ARMILLA_SHARED(all_sums, sums);
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const int sequence = lane_sequence<4 * NSETS>();
    NUMBER number[SUMS];
    for (int j = 0; j < SUMS; j += 4) {
        const int from = j / (4 * NSETS) * (4 * NSETS) + 4 * (j / 4 % NSETS ^ sequence / 4);
        for (int q = 0; q < 4; q++) number[j + q] = values[(SUMS * warp + from + q) * WARP + lane];
        take_sequence(number + j, sequence);
    }
    store_sums(number, AT, sums);
    __syncthreads();
    FOR_THREADS(i, TWO_WARPS * SUMS) out[i] = sums->sum[i / SUMS][AT + i % SUMS];
}

template <typename NUMBER> static NUMBER plain_sum(const NUMBER *lane)
{
    std::vector<NUMBER> sum(lane, lane + WARP);
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        for (int i = 0; i < distance; i++) sum[i] = sum[i] + sum[i + distance];
    return sum[0];
}

/* Numbers of sizes so different that another sequence of additions has other bits. */
template <typename NUMBER> static NUMBER any_number(std::mt19937_64 &random)
{
    const double mantissa = std::uniform_real_distribution<>(-1, 1)(random);
    const double value = ldexp(mantissa, std::uniform_int_distribution<>(-12, 12)(random));
    if constexpr (std::is_same<NUMBER, two_floats>::value)
        return two_of(value);
    else
        return (NUMBER)value;
}

template <typename NUMBER, typename T, int NSETS> static void check_sums()
{
    std::mt19937_64 random(17);
    for (int trial = 0; trial < 20; trial++) {
        std::vector<NUMBER> values(TWO_WARPS * SUMS * WARP);
        for (NUMBER &value : values) value = any_number<NUMBER>(random);
        const device_array<NUMBER> from(values);
        const device_array<T> to(TWO_WARPS * SUMS);
        ARMILLA_LAUNCH((add_lanes<NUMBER, T, NSETS>), 1, TWO_WARPS * WARP,
                       sizeof(chunk_sums<T, NSETS, TWO_WARPS>), nullptr, from.values, to.values);
        assert_int_equal(cudaGetLastError(), cudaSuccess);
        const std::vector<T> made = to.read();
        for (int i = 0; i < TWO_WARPS * SUMS; i++) {
            T wanted;
            put_sum(plain_sum(&values[(size_t)i * WARP]), &wanted);
            assert_memory_equal(&wanted, &made[(size_t)i], sizeof wanted);
        }
    }
}

template <typename NUMBER, typename T> static void check_sets()
{
    check_sums<NUMBER, T, 1>();
    check_sums<NUMBER, T, 2>();
    check_sums<NUMBER, T, 4>();
}

static void sums_have_the_bits_of_the_plain_sequence(void **)
{
    check_sets<double, double>();
    check_sets<float, two_floats>();
    check_sets<two_floats, two_floats>();
}

int main()
{
    const CMUnitTest tests[] = {cmocka_unit_test(sums_have_the_bits_of_the_plain_sequence)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
