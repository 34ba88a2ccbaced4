/* Moves the direction of every pixel of a grid along a deflection, ring by ring, and keeps the
 * results and the angles by which fields with a spin turn, for all plans that share them. */
#include "lensing/pointing.h"

#include "base/geodesic.h"
#include "base/memory.h"
#include "base/team.h"
#include "lensing/device.h"

/* --- Directions --------------------------------------------------------------------------------
 */

typedef struct {
    armilla_pointing *pointing;
    const double *field;
} job;

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

static armilla_status fill_here(armilla_pointing *p, const armilla_deflection *deflection,
                                const char *isa)
{
    const armilla_grid *grid = p->grid;
    double *made = NULL;
    armilla_status status = armilla_allocate(&p->points, 2 * p->count, sizeof *p->points);
    if (!status) status = armilla_allocate(&p->gamma, p->count, sizeof *p->gamma);
    if (!status && !deflection->map)
        status = armilla_deflection_field(grid, deflection, isa, &made);
    if (status) return status;
    job k = {p, deflection->map ? deflection->map : made};
    if (!(status = armilla_deflection_check(grid, k.field)))
        armilla_team_run(deflection->nthreads, p->grid->nrings, deflect_ring, &k);
    armilla_release(made);
    return status;
}

static armilla_status fill_pointing(const armilla_grid *grid, const armilla_deflection *deflection,
                                    const armilla_points_options *options, armilla_pointing *p)
{
    armilla_status status = armilla_grid_copy(grid, &p->grid);
    if (!status) status = number_entries(p);
    if (status) return status;
    return options->device == ARMILLA_CUDA ? armilla_pointing_make_device(p, deflection, options)
                                           : fill_here(p, deflection, options->isa);
}

armilla_status armilla_pointing_new(const armilla_grid *grid, const armilla_deflection *deflection,
                                    const armilla_points_options *options,
                                    armilla_pointing **pointing)
{
    armilla_pointing *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    atomic_init(&made->users, 1);
    if ((status = fill_pointing(grid, deflection, options, made)))
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
    armilla_release(pointing->devices);
    armilla_release(pointing->place);
    armilla_cuda_free(pointing->cuda);
    armilla_release(pointing);
}

int64_t armilla_pointing_bytes(const armilla_pointing *pointing)
{
    const int64_t nrings = pointing->grid->nrings;
    const int64_t numbers = pointing->cuda ? 0 : 3 * pointing->count;
    const int64_t places = pointing->place ? pointing->count : 0;
    return numbers * (int64_t)sizeof(double) + nrings * (int64_t)sizeof(armilla_ring) +
           (pointing->start ? nrings * (int64_t)sizeof *pointing->start : 0) +
           places * (int64_t)sizeof *pointing->place;
}
