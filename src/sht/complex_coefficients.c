/* Splits the coefficients of a complex field into those of two real ones, and joins them;
 * docs/mathematics.md (1.14). With f = sign (u + i v) and m >= 0,
 *
 *     u_lm = sign (f_lm + (-1)^m conj f_{l,-m}) / 2
 *     v_lm = sign (f_lm - (-1)^m conj f_{l,-m}) / (2 i)
 *     f_lm = sign (u_lm + i v_lm)
 *     f_{l,-m} = sign (-1)^m (conj u_lm + i conj v_lm)
 *
 * f has rows of one degree, u and v rows of one order: a task is a few degrees, whose places in a
 * row are a cache line or two. */
#include "sht/complex_coefficients.h"

#include "armilla/alm.h"
#include "base/integer.h"
#include "base/team.h"

enum { DEGREES = 8 /* of a task */ };

/* What a task goes through: the degrees first .. end - 1. */
typedef struct {
    const armilla_complex_coefficients *c;
    int64_t first, end, second; /* second: complex numbers from u to v */
} stretch;

static stretch stretch_of(const armilla_complex_coefficients *c, int64_t index)
{
    return (stretch){c, index * DEGREES, armilla_smaller((index + 1) * DEGREES, c->lmax + 1),
                     armilla_alm_size(c->lmax, c->mmax)};
}

static int is_zero(const armilla_complex_coefficients *c, int64_t l)
{
    return l < c->least;
}

/* Order m of a stretch, from degree `first` on. */
static void split_order(const stretch *s, int64_t m, int64_t first)
{
    const armilla_complex_coefficients *c = s->c;
    const double half = c->sign / 2, turn = m % 2 ? -1 : 1;
    int64_t place = 2 * armilla_alm_index(c->lmax, first, m);
    for (int64_t l = first; l < s->end; l++, place += 2) {
        const int64_t plus = 2 * (l * l + l + m), minus = 2 * (l * l + l - m);
        const double scale = is_zero(c, l) ? 0 : half;
        double p[2] = {0, 0}, q[2] = {0, 0};
        for (int i = 0; i < 2 && !is_zero(c, l); i++) {
            p[i] = armilla_array_get(c->both, plus + i);
            q[i] = (i ? -turn : turn) * armilla_array_get(c->both, minus + i);
        }
        armilla_array_put(c->half, place, scale * (p[0] + q[0]));
        armilla_array_put(c->half, place + 1, scale * (p[1] + q[1]));
        armilla_array_put(c->half, 2 * s->second + place, scale * (p[1] - q[1]));
        armilla_array_put(c->half, 2 * s->second + place + 1, scale * (q[0] - p[0]));
    }
}

static void join_order(const stretch *s, int64_t m, int64_t first)
{
    const armilla_complex_coefficients *c = s->c;
    const double turn = m % 2 ? -c->sign : c->sign;
    int64_t place = 2 * armilla_alm_index(c->lmax, first, m);
    for (int64_t l = first; l < s->end; l++, place += 2) {
        const int64_t plus = 2 * (l * l + l + m), minus = 2 * (l * l + l - m);
        double u[2], v[2];
        for (int i = 0; i < 2; i++) {
            u[i] = armilla_array_get(c->half, place + i);
            v[i] = armilla_array_get(c->half, 2 * s->second + place + i);
        }
        armilla_array_put(c->both, plus, c->sign * (u[0] - v[1]));
        armilla_array_put(c->both, plus + 1, c->sign * (u[1] + v[0]));
        if (m == 0) continue;
        armilla_array_put(c->both, minus, turn * (u[0] + v[1]));
        armilla_array_put(c->both, minus + 1, turn * (v[0] - u[1]));
    }
}

/* Orders above mmax. */
static void clear_rest(const stretch *s)
{
    const armilla_complex_coefficients *c = s->c;
    for (int64_t l = armilla_larger(s->first, c->mmax + 1); l < s->end; l++)
        for (int64_t m = c->mmax + 1; m <= l; m++)
            for (int i = 0; i < 2; i++) {
                armilla_array_put(c->both, 2 * (l * l + l + m) + i, 0);
                armilla_array_put(c->both, 2 * (l * l + l - m) + i, 0);
            }
}

static void split_task(void *context, int64_t index, int thread)
{
    const stretch s = stretch_of(context, index);
    (void)thread;
    for (int64_t m = 0; m <= s.c->mmax && m < s.end; m++)
        split_order(&s, m, armilla_larger(s.first, m));
}

static void join_task(void *context, int64_t index, int thread)
{
    const stretch s = stretch_of(context, index);
    (void)thread;
    for (int64_t m = 0; m <= s.c->mmax && m < s.end; m++)
        join_order(&s, m, armilla_larger(s.first, m));
    clear_rest(&s);
}

static int64_t count_tasks(const armilla_complex_coefficients *coefficients)
{
    return coefficients->lmax / DEGREES + 1;
}

void armilla_complex_split(const armilla_complex_coefficients *coefficients, int nthreads)
{
    armilla_team_run(nthreads, count_tasks(coefficients), split_task, (void *)coefficients);
}

void armilla_complex_join(const armilla_complex_coefficients *coefficients, int nthreads)
{
    armilla_team_run(nthreads, count_tasks(coefficients), join_task, (void *)coefficients);
}
