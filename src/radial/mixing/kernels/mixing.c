/* Defines the inner loops of the method RINGS, compiled once per instruction set: they sample the
 * radial kernel, sum the samples to K_m, and mix the orders of rings. The sums of cosines and the
 * mixing are products of small matrices, held in registers: with 32 of them 16 sums, with 16 of
 * them 8. */
#include "radial/mixing/kernels/mixing.h"

#include "legendre/simd/simd.h"
#include "radial/profile/kernels/turned.h"

enum {
    WIDTH = ARMILLA_MIXING_WIDTH,
    PAIR = ARMILLA_MIXING_PAIR,
    FOUR = ARMILLA_MIXING_FOUR,
    NVEC = 2,                             /* vectors of cosines at once */
    TOGETHER = REGISTERS >= 32 ? 4 : 2,   /* rings that share their factors */
    AT_ONCE = 8 / VLEN < 4 ? 4 : 8 / VLEN /* vectors of one polynomial: hides the latency */
};

ARMILLA_KERNEL_FAMILY(armilla_mixing_kernels) = {
    .vector_length = VLEN, ARMILLA_MIXING_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_mixing)};

/* --- Samples of the kernel ------------------------------------------------------------------- */

ARMILLA_ALWAYS_INLINE void horner(const armilla_mixing_polynomial *p, double factor, const int n,
                                  const double *x, double *values)
{
    vec s[AT_ONCE], sum[AT_ONCE];
    for (int i = 0; i < n; i++) {
        s[i] = v_fma(v_load(x + i * VLEN), v_all(2 / p->end), v_all(-1));
        sum[i] = v_all(p->coef[p->degree]);
    }
    for (int k = p->degree - 1; k >= 0; k--)
        for (int i = 0; i < n; i++) sum[i] = v_fma(sum[i], s[i], v_all(p->coef[k]));
    for (int i = 0; i < n; i++) {
        const vmask beyond = v_larger(v_load(x + i * VLEN), p->cut);
        v_store(values + i * VLEN, v_select(beyond, v_all(0), v_mul(sum[i], v_all(factor))));
    }
}

void ARMILLA_KERNEL(armilla_mixing_values)(const armilla_mixing_polynomial *p, double factor,
                                           int64_t count, const double *x, double *values)
{
    int64_t i = 0;
    for (; i + AT_ONCE * VLEN <= count; i += AT_ONCE * VLEN)
        horner(p, factor, AT_ONCE, x + i, values + i);
    for (; i < count; i += VLEN) horner(p, factor, 1, x + i, values + i);
}

/* --- In and out of leg ----------------------------------------------------------------------- */

enum {
    MANY = VLEN > 4 ? VLEN / 4 : 1, /* pairs of a vector of leg */
    PART = VLEN > 4 ? 4 : VLEN      /* numbers of a pair in it */
};

/* Where number k of a vector of leg that begins with number c of a pair is in [pair][4][WIDTH]. */
ARMILLA_ALWAYS_INLINE int64_t order_place(int c, int k)
{
    return k / PART * PAIR + (c + k % PART) * WIDTH;
}

ARMILLA_ALWAYS_INLINE void take_pairs(int64_t row_length, const double *leg, double *orders)
{
    for (int m = 0; m < WIDTH; m += VLEN)
        for (int c = 0; c < 4; c += PART) {
            vec x[VLEN];
            for (int k = 0; k < VLEN; k++) x[k] = v_load_any(leg + (m + k) * row_length + c);
            v_transpose(x);
            for (int k = 0; k < VLEN; k++) v_store(orders + order_place(c, k) + m, x[k]);
        }
}

ARMILLA_ALWAYS_INLINE void give_pairs(int64_t row_length, const double *orders, double *leg)
{
    for (int m = 0; m < WIDTH; m += VLEN)
        for (int c = 0; c < 4; c += PART) {
            vec x[VLEN];
            for (int k = 0; k < VLEN; k++) x[k] = v_load(orders + order_place(c, k) + m);
            v_transpose(x);
            for (int k = 0; k < VLEN; k++) v_store_any(leg + (m + k) * row_length + c, x[k]);
        }
}

void ARMILLA_KERNEL(armilla_mixing_take)(int64_t count, int64_t row_length, const double *leg,
                                         double *orders)
{
    int64_t i = 0;
    for (; i + MANY <= count; i += MANY) take_pairs(row_length, leg + 4 * i, orders + i * PAIR);
    for (; i < count; i++)
        for (int m = 0; m < WIDTH; m++)
            for (int c = 0; c < 4; c++)
                orders[i * PAIR + c * WIDTH + m] = leg[m * row_length + 4 * i + c];
}

void ARMILLA_KERNEL(armilla_mixing_give)(int64_t count, int64_t row_length, const double *orders,
                                         double *leg)
{
    int64_t i = 0;
    for (; i + MANY <= count; i += MANY) give_pairs(row_length, orders + i * PAIR, leg + 4 * i);
    for (; i < count; i++)
        for (int m = 0; m < WIDTH; m++)
            for (int c = 0; c < 4; c++)
                leg[m * row_length + 4 * i + c] = orders[i * PAIR + c * WIDTH + m];
}

/* --- Waves ----------------------------------------------------------------------------------- */

void ARMILLA_KERNEL(armilla_mixing_waves)(const armilla_mixing_waves *waves, double *cosines,
                                          double *sines)
{
    int64_t place = waves->start;
    for (int64_t j = 0; j < waves->count; j++) {
        const vec c = v_all(waves->circle[2 * place]), s = v_all(waves->circle[2 * place + 1]);
        for (int64_t at = j * WIDTH; at < (j + 1) * WIDTH; at += VLEN) {
            const vec low_c = v_load(waves->cosine + at), low_s = v_load(waves->sine + at);
            v_store(cosines + at, v_fnma(s, low_s, v_mul(c, low_c)));
            if (sines) v_store(sines + at, v_fma(s, low_c, v_mul(c, low_s)));
        }
        place += waves->step;
        if (place >= waves->length) place -= waves->length;
    }
}

/* --- Sums of cosines ------------------------------------------------------------------------- */

/* Adds one sample of each (p, q), times two vectors of cosines. */
ARMILLA_ALWAYS_INLINE void add_sample(const double *samples, const double *cosines,
                                      vec sum[FOUR][NVEC])
{
    for (int r = 0; r < FOUR; r++)
        for (int v = 0; v < NVEC; v++)
            sum[r][v] = v_fma(v_all(samples[r]), v_load(cosines + v * VLEN), sum[r][v]);
}

/* Both sums at once hide the latency where there are registers for them. */
ARMILLA_ALWAYS_INLINE void add_samples(const armilla_mixing_four *four, const double *samples,
                                       const double *cosines, vec even[FOUR][NVEC],
                                       vec odd[FOUR][NVEC])
{
    for (int r = 0; r < FOUR; r++)
        for (int v = 0; v < NVEC; v++) even[r][v] = odd[r][v] = v_all(0);
    if (REGISTERS >= 32) {
        for (int64_t j = 0; j < four->count; j += 2) {
            add_sample(samples + j * FOUR, cosines + j * WIDTH, even);
            add_sample(samples + (j + 1) * FOUR, cosines + (j + 1) * WIDTH, odd);
        }
        return;
    }
    for (int64_t j = 0; j < four->count; j += 2)
        add_sample(samples + j * FOUR, cosines + j * WIDTH, even);
    for (int64_t j = 1; j < four->count; j += 2)
        add_sample(samples + j * FOUR, cosines + j * WIDTH, odd);
}

ARMILLA_ALWAYS_INLINE vec reversed(vec a)
{
    _Alignas(64) double p[VLEN], q[VLEN];
    v_store(p, a);
    for (int i = 0; i < VLEN; i++) q[i] = p[VLEN - 1 - i];
    return v_load(q);
}

void ARMILLA_KERNEL(armilla_mixing_cosine_sums)(const armilla_mixing_four *four,
                                                const double *samples, const double *cosines,
                                                double *low, double *high)
{
    vec even[FOUR][NVEC], odd[FOUR][NVEC];
    for (int from = 0; from < WIDTH; from += NVEC * VLEN) {
        add_samples(four, samples, cosines + from, even, odd);
        for (int r = 0; r < FOUR; r++)
            for (int v = 0; v < NVEC; v++) {
                const int at = from + v * VLEN;
                v_store(low + four->place[r] + at, v_add(even[r][v], odd[r][v]));
                if (high)
                    v_store(high + four->place[r] + WIDTH - VLEN - at,
                            reversed(v_sub(even[r][v], odd[r][v])));
            }
    }
}

/* --- Spin 2 ---------------------------------------------------------------------------------- */

void ARMILLA_KERNEL(armilla_mixing_turn)(int64_t count, const double *p, const double *q,
                                         double *even, double *odd)
{
    for (int64_t i = 0; i < count; i += VLEN)
        turn_values(v_load(p + i), v_load(q + i), even + i, odd + i);
}

/* part E: k[0] = E;  part O: k[0] = E + O, k[1] = E - O. */
ARMILLA_ALWAYS_INLINE void put_part(double *const k[2], int64_t at, vec value, const int part)
{
    const vec before = part ? v_load(k[0] + at) : v_all(0);
    v_store(k[0] + at, v_add(before, value));
    if (part) v_store(k[1] + at, v_sub(before, value));
}

ARMILLA_ALWAYS_INLINE void turned_part(const armilla_mixing_four *four,
                                       const armilla_mixing_turned *turned, const int from,
                                       const int part)
{
    vec even[FOUR][NVEC], odd[FOUR][NVEC];
    add_samples(four, part ? turned->odd : turned->even,
                (part ? turned->sines : turned->cosines) + from, even, odd);
    for (int r = 0; r < FOUR; r++)
        for (int v = 0; v < NVEC; v++) {
            const int64_t at = from + v * VLEN;
            put_part(turned->low, four->place[r] + at, v_add(even[r][v], odd[r][v]), part);
            if (!turned->high[0]) continue;
            const vec high = part ? v_sub(odd[r][v], even[r][v]) : v_sub(even[r][v], odd[r][v]);
            put_part(turned->high, four->place[r] + WIDTH - VLEN - at, reversed(high), part);
        }
}

void ARMILLA_KERNEL(armilla_mixing_turned_sums)(const armilla_mixing_four *four,
                                                const armilla_mixing_turned *turned)
{
    for (int from = 0; from < WIDTH; from += NVEC * VLEN) {
        turned_part(four, turned, from, 0);
        turned_part(four, turned, from, 1);
    }
}

/* --- Mixing ---------------------------------------------------------------------------------- */

/* `na` rings of out, a vector of orders. */
ARMILLA_ALWAYS_INLINE void multiply_few(const armilla_mixing_product *p, const double *k_m,
                                        const double *in, double *out, const int na,
                                        const int crossed)
{
    vec sum[TOGETHER][4];
    for (int a = 0; a < na; a++)
        for (int c = 0; c < 4; c++) sum[a][c] = v_load(out + a * PAIR + c * WIDTH);
    for (int64_t b = 0; b < p->nb; b++) {
        vec k[TOGETHER];
        for (int a = 0; a < na; a++) k[a] = v_load(k_m + a * p->step_a + b * p->step_b);
        for (int c = 0; c < 4; c++) {
            const vec value = v_load(in + b * PAIR + (c ^ crossed) * WIDTH);
            for (int a = 0; a < na; a++) sum[a][c] = v_fma(k[a], value, sum[a][c]);
        }
    }
    for (int a = 0; a < na; a++)
        for (int c = 0; c < 4; c++) v_store(out + a * PAIR + c * WIDTH, sum[a][c]);
}

ARMILLA_ALWAYS_INLINE void multiply_all(const armilla_mixing_product *p, const double *k_m,
                                        const double *in, double *out, const int crossed)
{
    for (int from = 0; from < WIDTH; from += VLEN) {
        int64_t a = 0;
        for (; a + TOGETHER <= p->na; a += TOGETHER)
            multiply_few(p, k_m + a * p->step_a + from, in + from, out + a * PAIR + from, TOGETHER,
                         crossed);
        for (; a < p->na; a++)
            multiply_few(p, k_m + a * p->step_a + from, in + from, out + a * PAIR + from, 1,
                         crossed);
    }
}

void ARMILLA_KERNEL(armilla_mixing_multiply)(const armilla_mixing_product *p, const double *k_m,
                                             const double *in, double *out)
{
    if (p->crossed)
        multiply_all(p, k_m, in, out, 2);
    else
        multiply_all(p, k_m, in, out, 0);
}
