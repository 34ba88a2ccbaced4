/* Halves of the emulated GPU: packed numbers of 16 bits, and products of matrices of them. */
#include "half_numbers.h"
#include "machine.h"

namespace emulation
{
uint32_t pack_halves(float low, float high)
{
    return half_numbers::of_float(low) | (uint32_t)half_numbers::of_float(high) << 16;
}

float float_of_half(uint16_t bits)
{
    return half_numbers::to_float(bits);
}

static void unpack(uint32_t two, float *first)
{
    first[0] = float_of_half((uint16_t)two), first[1] = float_of_half((uint16_t)(two >> 16));
}

/* Where entries lie is from NVIDIA's "Parallel Thread Execution ISA", the section "Matrix Fragments
 * for mma.m16n8k16 with floating point type":
 *     A, 16 x 16   number i of eight: row laneid / 4, or 8 more where i / 2 is odd; column
 *                  2 (laneid % 4) + i % 2, and 8 more from i = 4 on
 *     B, 16 x 8    number i of four: row 2 (laneid % 4) + i % 2, and 8 more from i = 2 on;
 *                  column laneid / 4
 *     C, D, 16 x 8 as those of m16n8k4 */
void multiply_half_fragments(const half_fragment *const *of_lane)
{
    float a[16][16], b[8][16];
    for (int lane = 0; lane < 32; lane++) {
        const int q = lane / 4, r = lane % 4;
        for (int i = 0; i < 4; i++)
            unpack(of_lane[lane]->a[i], &a[q + i % 2 * 8][2 * r + i / 2 * 8]);
        for (int i = 0; i < 2; i++) unpack(of_lane[lane]->b[i], &b[q][2 * r + 8 * i]);
    }
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < 4; i++) {
            const int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
            float *c = &of_lane[lane]->c[i];
            *c = half_numbers::cut_sum(*c, a[row], b[column]);
        }
}
} // namespace emulation
