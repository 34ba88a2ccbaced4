/* Runs the recurrence by which a rotation of coefficients exchanges axes, and sums the terms of up
 * to three fields along it, for a few vectors of orders at once; compiled once per instruction set.
 * Each step takes, per vector, 2 operations for the recurrence (3 for low and high orders) and 2
 * for the sums of each field (3 for low orders). */
#include "alm/kernels/rotation.h"

#include "legendre/simd/simd.h"

typedef struct {
    vec argument[ROTATION_VECTORS], current[ROTATION_VECTORS], previous[ROTATION_VECTORS];
    vec sum[2 * ARMILLA_ROTATION_FIELDS][ROTATION_VECTORS];
} state;

ARMILLA_ALWAYS_INLINE void add(double term, const vec *p, vec *sum, const int nvec)
{
    for (int i = 0; i < nvec; i++) sum[i] = v_fma(v_all(term), p[i], sum[i]);
}

ARMILLA_ALWAYS_INLINE void add_step(const double *terms, const vec *p, const vec *d, state *s,
                                    const int nvec, const int fields, const int form)
{
    const int width = form == ARMILLA_ROTATION_LOW ? 3 : 2;
    for (int f = 0; f < fields; f++, terms += width) {
        add(terms[0], p, s->sum[2 * f], nvec);
        add(terms[1], p, s->sum[2 * f + 1], nvec);
        if (form == ARMILLA_ROTATION_LOW) add(terms[2], d, s->sum[2 * f], nvec);
    }
}

/* Plain: p_{k+1} takes the place of p_{k-1}; else p_{k+1}, d_{k+1} that of p_k, d_k. */
ARMILLA_ALWAYS_INLINE void advance(double constant, double slope, const vec *argument, vec *current,
                                   vec *previous, const int nvec, const int form)
{
    for (int i = 0; i < nvec; i++) {
        vec factor = v_fma(v_all(slope), argument[i], v_all(constant));
        if (form == ARMILLA_ROTATION_LOW) {
            previous[i] = v_fma(factor, current[i], previous[i]);
            current[i] = v_add(current[i], previous[i]);
        } else {
            previous[i] = v_sub(v_mul(factor, current[i]), previous[i]);
            if (form == ARMILLA_ROTATION_HIGH) current[i] = v_sub(previous[i], current[i]);
        }
    }
}

/* The last step K had the factor 0, which leaves in current, previous: -p_{K-1}, p_K (plain);
 * p_K + d_K, d_K (low); -d_K - p_K, -d_K (high). */
ARMILLA_ALWAYS_INLINE void store_ends(const state *s, double *out, const int nvec, const int form)
{
    for (int i = 0; i < nvec; i++) {
        vec c = s->current[i], d = s->previous[i], last = d, difference = v_add(d, c);
        if (form == ARMILLA_ROTATION_LOW) last = v_sub(c, d), difference = d;
        if (form == ARMILLA_ROTATION_HIGH)
            last = v_sub(d, c), difference = v_add(last, v_add(last, d));
        v_store(out + i * VLEN, last);
        v_store(out + (nvec + i) * VLEN, difference);
    }
}

ARMILLA_ALWAYS_INLINE void sums(const armilla_rotation_sums *w, double *out, const int nvec,
                                const int fields, const int form)
{
    state s;
    for (int i = 0; i < nvec; i++) {
        s.argument[i] = v_load(w->argument + i * VLEN);
        s.current[i] = v_all(w->current), s.previous[i] = v_all(w->previous);
        for (int j = 0; j < 2 * fields; j++) s.sum[j][i] = v_all(0);
    }
    const int swap = form == ARMILLA_ROTATION_PLAIN;
    const int width = (form == ARMILLA_ROTATION_LOW ? 3 : 2) * fields;
    vec *next = swap ? s.previous : s.current, *other = swap ? s.current : s.previous;
    const double *constant = w->constant, *slope = w->slope, *terms = w->terms;
    for (int64_t k = 0; k < w->nsteps; k += 2, terms += 2 * width) {
        add_step(terms, s.current, s.previous, &s, nvec, fields, form);
        advance(constant[k], slope[k], s.argument, s.current, s.previous, nvec, form);
        add_step(terms + width, next, other, &s, nvec, fields, form);
        advance(constant[k + 1], slope[k + 1], s.argument, next, other, nvec, form);
    }
    for (int j = 0; j < 2 * fields; j++)
        for (int i = 0; i < nvec; i++) v_store(out + (j * nvec + i) * VLEN, s.sum[j][i]);
    store_ends(&s, out + 2 * fields * nvec * VLEN, nvec, form);
}

ARMILLA_ALWAYS_INLINE void sums_of_form(const armilla_rotation_sums *w, double *out, const int nvec,
                                        const int fields)
{
    if (w->form == ARMILLA_ROTATION_PLAIN)
        sums(w, out, nvec, fields, ARMILLA_ROTATION_PLAIN);
    else if (w->form == ARMILLA_ROTATION_LOW)
        sums(w, out, nvec, fields, ARMILLA_ROTATION_LOW);
    else
        sums(w, out, nvec, fields, ARMILLA_ROTATION_HIGH);
}

ARMILLA_ROTATION_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_rotation)

#define CASE(fields, nvec)                                                                         \
    case 8 * (fields) + (nvec):                                                                    \
        sums_of_form(work, out, (nvec), (fields));                                                 \
        break

void ARMILLA_KERNEL(armilla_rotation_sums)(const armilla_rotation_sums *work, double *out)
{
    switch (8 * work->fields + work->nvec) {
        CASE(1, 1);
        CASE(1, 2);
        CASE(2, 1);
        CASE(2, 2);
        CASE(3, 1);
        CASE(3, 2);
#if ROTATION_VECTORS > 2
        CASE(1, 3);
        CASE(2, 3);
        CASE(3, 3);
#endif
#if ROTATION_VECTORS > 3
        CASE(1, 4);
        CASE(2, 4);
        CASE(3, 4);
#endif
    }
}

ARMILLA_KERNEL_FAMILY(armilla_rotation_kernels) = {
    .vector_length = VLEN,
    .vectors = ROTATION_VECTORS,
    ARMILLA_ROTATION_KERNEL_LIST(ARMILLA_KERNEL_ENTER, armilla_rotation)};
