/* See run.h. */
#include "sht/run.h"

#include "sht/coefficients.h"

#include <string.h>

double *armilla_run_scratch(const armilla_run *r, int thread)
{
    return r->scratch + (int64_t)thread * r->scratch_size;
}

void *armilla_run_shift(void *values, int is_float, int64_t items)
{
    return (char *)values + items * (int64_t)(is_float ? sizeof(float) : sizeof(double));
}

armilla_array armilla_run_alm(const armilla_run *r, int64_t set)
{
    const armilla_sht *sht = r->sht;
    int64_t component = set % sht->nmap, index = set / sht->nmap * sht->nalm + component;
    armilla_array alm = {NULL, r->alm.is_float};
    if (component < sht->nalm)
        alm.values = armilla_run_shift(r->alm.values, alm.is_float, 2 * index * r->alm_distance);
    return alm;
}

armilla_array armilla_run_map(const armilla_run *r, int64_t set)
{
    armilla_array map = r->map;
    map.values = armilla_run_shift(map.values, map.is_float, set * r->map_distance);
    return map;
}

/* Rows of alm of order m, degrees below the spin set to zero. */
static void read_rows(const armilla_run *r, int64_t m, const armilla_legendre_sets *sets)
{
    const armilla_sht *sht = r->sht;
    const int64_t nrow = armilla_legendre_alm_row(sht->legendre, m), spin = sht->legendre->spin;
    for (int64_t set = 0; set < sets->count; set++) {
        double *row = sets->alm + set * sets->alm_stride;
        armilla_array alm = armilla_run_alm(r, set);
        if (!alm.values) {
            memset(row, 0, sizeof *row * (size_t)nrow);
            continue;
        }
        armilla_coefficients_read(alm, sht->layout, m, sht->degree_factor, row, nrow);
        if (m < spin) memset(row, 0, sizeof *row * (size_t)(2 * (spin - m)));
    }
}

/* Adds what earlier passes have found to a row. Unless the pass is the last one, the sum is kept
 * for the next; returns 1 if the row is ready to be written. */
static int sum_passes(const armilla_run *r, int64_t m, int64_t component, double *row)
{
    const int64_t lmax = r->sht->layout->lmax, mmax = r->sht->layout->mmax;
    const int64_t start = component * armilla_alm_size(lmax, mmax) + armilla_alm_index(lmax, m, m);
    const int64_t count = 2 * (lmax - m + 1);
    double *sums = r->sums + 2 * start;
    for (int64_t i = 0; i < count && r->pass_index > 0; i++) row[i] += sums[i];
    if (r->pass_index == r->npasses - 1) return 1;
    memcpy(sums, row, sizeof *row * (size_t)count);
    return 0;
}

/* Orders go over all pairs in one pass, or pass by pass. */
static void write_rows(const armilla_run *r, int64_t m, const armilla_legendre_sets *sets)
{
    const int only = r->npasses == 1;
    for (int64_t set = 0, component = 0; set < sets->count; set++) {
        armilla_array alm = armilla_run_alm(r, set);
        double *row = sets->alm + set * sets->alm_stride;
        if (!alm.values) continue;
        if (!r->sums || sum_passes(r, m, component++, row))
            armilla_coefficients_write(alm, r->sht->layout, m, r->sht->degree_factor, row,
                                       only || r->sums || r->pass_index == 0);
    }
}

void armilla_run_synthesis(const armilla_run *r, const armilla_legendre_block *block, int64_t m,
                           const armilla_legendre_sets *sets, double *scratch)
{
    read_rows(r, m, sets);
    armilla_legendre_synthesis(r->sht->legendre, block, m, sets, scratch);
}

void armilla_run_analysis(const armilla_run *r, const armilla_legendre_block *block, int64_t m,
                          const armilla_legendre_sets *sets, double *scratch)
{
    const size_t bytes = sizeof(double) * (size_t)armilla_legendre_alm_row(r->sht->legendre, m);
    for (int64_t set = 0; set < sets->count; set++)
        memset(sets->alm + set * sets->alm_stride, 0, bytes);
    armilla_legendre_analysis(r->sht->legendre, block, m, sets, scratch);
    write_rows(r, m, sets);
}
