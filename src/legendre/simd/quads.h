/* Quads of simd.h as vectors of one or two lanes. */
#ifndef ARMILLA_LEGENDRE_SIMD_QUADS_H
#define ARMILLA_LEGENDRE_SIMD_QUADS_H

enum { QUAD_PARTS = 4 / VLEN };

typedef struct {
    vec part[QUAD_PARTS];
} quad;

ARMILLA_ALWAYS_INLINE quad q_load(const double *p)
{
    quad q;
    for (int i = 0; i < QUAD_PARTS; i++) q.part[i] = v_load_any(p + i * VLEN);
    return q;
}
ARMILLA_ALWAYS_INLINE void q_store(double *p, quad a)
{
    for (int i = 0; i < QUAD_PARTS; i++) v_store_any(p + i * VLEN, a.part[i]);
}
ARMILLA_ALWAYS_INLINE quad q_all(double a)
{
    quad q;
    for (int i = 0; i < QUAD_PARTS; i++) q.part[i] = v_all(a);
    return q;
}
ARMILLA_ALWAYS_INLINE quad q_add(quad a, quad b)
{
    for (int i = 0; i < QUAD_PARTS; i++) a.part[i] = v_add(a.part[i], b.part[i]);
    return a;
}
ARMILLA_ALWAYS_INLINE quad q_mul(quad a, quad b)
{
    for (int i = 0; i < QUAD_PARTS; i++) a.part[i] = v_mul(a.part[i], b.part[i]);
    return a;
}
ARMILLA_ALWAYS_INLINE quad q_fma_sum(quad a, quad b, quad c)
{
    for (int i = 0; i < QUAD_PARTS; i++) c.part[i] = v_fma(a.part[i], b.part[i], c.part[i]);
    return c;
}
ARMILLA_ALWAYS_INLINE quad q_sides(quad a)
{
    quad q;
    for (int i = 0; i < QUAD_PARTS / 2; i++) {
        q.part[i] = v_add(a.part[i], a.part[QUAD_PARTS / 2 + i]);
        q.part[QUAD_PARTS / 2 + i] = v_sub(a.part[i], a.part[QUAD_PARTS / 2 + i]);
    }
    return q;
}
/* p[0] p[1] 0 0 */
ARMILLA_ALWAYS_INLINE quad q_load_half(const double *p)
{
    const double all[4] = {p[0], p[1], 0, 0};
    return q_load(all);
}
ARMILLA_ALWAYS_INLINE void q_store_half(double *p, quad a)
{
    double all[4];
    q_store(all, a);
    p[0] = all[0], p[1] = all[1];
}
/* p[0] p[0] p[1] p[1] */
ARMILLA_ALWAYS_INLINE quad q_of_pair(const double *p)
{
    const double all[4] = {p[0], p[0], p[1], p[1]};
    return q_load(all);
}
/* *p *p 0 0 */
ARMILLA_ALWAYS_INLINE quad q_of_half(const double *p)
{
    const double all[4] = {*p, *p, 0, 0};
    return q_load(all);
}
ARMILLA_ALWAYS_INLINE quad q_pairs_swapped(quad a)
{
    double all[4];
    q_store(all, a);
    const double swapped[4] = {all[1], all[0], all[3], all[2]};
    return q_load(swapped);
}

#endif
