/* See pointing.h. Coefficients -> field of spin 1 on the grid -> directions, ring by ring. */
#include "lensing/pointing.h"

#include "armilla/sht.h"
#include "base/memory.h"
#include "base/team.h"
#include "lensing/geometry.h"

#include <string.h>

/* --- The field of spin 1 -----------------------------------------------------------------------
 */

/* Coefficients of the vector field: those of a potential times sqrt(l (l + 1)). */
static void fill_vector(const armilla_deflection *d, const double *alm, double *vector)
{
    for (int64_t m = 0; m <= d->mmax; m++)
        for (int64_t l = m; l <= d->lmax; l++) {
            const int64_t i = 2 * armilla_alm_index(d->lmax, l, m);
            const double factor =
                d->kind == ARMILLA_DEFLECTION_POTENTIAL ? sqrt((double)l * ((double)l + 1)) : 1;
            vector[i] = factor * alm[i], vector[i + 1] = factor * alm[i + 1];
        }
}

static armilla_status new_vector(const armilla_deflection *d, double **vector)
{
    const int64_t size = 2 * armilla_alm_size(d->lmax, d->mmax);
    armilla_status status = armilla_allocate(vector, d->curl ? 2 * size : size, sizeof **vector);
    if (status) return status;
    fill_vector(d, d->gradient, *vector);
    if (d->curl) fill_vector(d, d->curl, *vector + size);
    return ARMILLA_OK;
}

/* alpha_theta and alpha_phi on the grid: [2][npix]. */
static armilla_status synthesize(const armilla_grid *grid, const armilla_deflection *d,
                                 const char *isa, const double *vector, double *field)
{
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_exec exec;
    armilla_sht_options_init(&options);
    armilla_exec_init(&exec);
    options.spin = 1, options.isa = isa;
    options.mode = d->curl ? ARMILLA_SHT_STANDARD : ARMILLA_SHT_GRADIENT_ONLY;
    exec.nthreads = d->nthreads;
    armilla_status status = armilla_sht_new(grid, d->lmax, d->mmax, &options, &sht);
    if (status) return status;
    status = armilla_sht_synthesis(sht, vector, field, &exec);
    armilla_sht_free(sht);
    return status;
}

static armilla_status new_field(const armilla_grid *grid, const armilla_deflection *d,
                                const char *isa, double **field)
{
    double *vector = NULL;
    armilla_status status = armilla_allocate(field, 2 * grid->npix, sizeof **field);
    if (!status) status = new_vector(d, &vector);
    if (!status) status = synthesize(grid, d, isa, vector, *field);
    armilla_release(vector);
    if (!status) return ARMILLA_OK;
    armilla_release(*field);
    return status;
}

/* --- Directions --------------------------------------------------------------------------------
 */

typedef struct {
    armilla_pointing *pointing;
    const double *field;
} job;

/* Coefficients that are not finite, or so large that their sums are not. */
static armilla_status check_field(const armilla_pointing *p, const double *field)
{
    for (int64_t ring = 0; ring < p->grid->nrings; ring++)
        for (int64_t j = 0; j < p->grid->rings[ring].nphi; j++) {
            const int64_t place = armilla_pointing_place(p, ring, j);
            if (isfinite(field[place]) && isfinite(field[place + p->grid->npix])) continue;
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "deflection: at pixel %lld it is (%g, %g): must be finite",
                                (long long)place, field[place], field[place + p->grid->npix]);
        }
    return ARMILLA_OK;
}

static void deflect_ring(void *context, int64_t ring, int thread)
{
    (void)thread;
    const job *k = context;
    const armilla_pointing *p = k->pointing;
    const armilla_ring *r = &p->grid->rings[ring];
    const armilla_colatitude start = armilla_colatitude_of(r->theta);
    for (int64_t j = 0; j < r->nphi; j++) {
        const int64_t entry = armilla_pointing_entry(p, ring, j);
        const int64_t place = armilla_pointing_place(p, ring, j);
        const double phi = r->phi0 + 2 * M_PI * (double)j / (double)r->nphi;
        p->gamma[entry] = armilla_deflect_point(
            start, phi, k->field[place], k->field[place + p->grid->npix], p->points + 2 * entry);
    }
}

/* --- Making ------------------------------------------------------------------------------------
 */

static armilla_status number_entries(armilla_pointing *p)
{
    const armilla_grid *grid = p->grid;
    for (int64_t i = 0; i < grid->nrings; i++) p->count += grid->rings[i].nphi;
    if (p->count == grid->npix) return ARMILLA_OK;
    armilla_status status = armilla_allocate(&p->start, grid->nrings, sizeof *p->start);
    int64_t next = 0;
    for (int64_t i = 0; i < grid->nrings && !status; i++)
        p->start[i] = next, next += grid->rings[i].nphi;
    return status;
}

static armilla_status fill_pointing(const armilla_grid *grid, const armilla_deflection *deflection,
                                    const char *isa, armilla_pointing *p)
{
    double *field;
    armilla_status status = armilla_grid_copy(grid, &p->grid);
    if (!status) status = number_entries(p);
    if (!status) status = armilla_allocate(&p->points, 2 * p->count, sizeof *p->points);
    if (!status) status = armilla_allocate(&p->gamma, p->count, sizeof *p->gamma);
    if (status || (status = new_field(grid, deflection, isa, &field))) return status;
    job k = {p, field};
    if (!(status = check_field(p, field)))
        armilla_team_run(deflection->nthreads, p->grid->nrings, deflect_ring, &k);
    armilla_release(field);
    return status;
}

armilla_status armilla_pointing_new(const armilla_grid *grid, const armilla_deflection *deflection,
                                    const char *isa, armilla_pointing **pointing)
{
    armilla_pointing *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    atomic_init(&made->users, 1);
    if ((status = fill_pointing(grid, deflection, isa, made)))
        armilla_pointing_release(made);
    else
        *pointing = made;
    return status;
}

armilla_pointing *armilla_pointing_share(armilla_pointing *pointing)
{
    atomic_fetch_add(&pointing->users, 1);
    return pointing;
}

void armilla_pointing_release(armilla_pointing *pointing)
{
    if (!pointing || atomic_fetch_sub(&pointing->users, 1) > 1) return;
    armilla_grid_free(pointing->grid);
    armilla_release(pointing->start);
    armilla_release(pointing->points);
    armilla_release(pointing->gamma);
    armilla_release(pointing);
}

int64_t armilla_pointing_bytes(const armilla_pointing *pointing)
{
    const int64_t nrings = pointing->grid->nrings;
    return pointing->count * 3 * (int64_t)sizeof(double) + nrings * (int64_t)sizeof(armilla_ring) +
           (pointing->start ? nrings * (int64_t)sizeof *pointing->start : 0);
}
