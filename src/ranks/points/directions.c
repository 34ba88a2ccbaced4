/* Makes the deflected directions of a rank's pixels. The deflection is a transform of spin 1 over
 * ranks; then each rank moves the directions of its own pixels. */
#include "ranks/points/directions.h"

#include "alm/layout.h"
#include "base/geodesic.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "lensing/pointing.h"
#include "ranks/agree.h"
#include "ranks/threads.h"

void armilla_distributed_deflection_init_sized(armilla_distributed_deflection *deflection,
                                               size_t size)
{
    const armilla_distributed_deflection defaults = {.kind = ARMILLA_DEFLECTION_POTENTIAL};
    armilla_options_give(&defaults, sizeof defaults, deflection, size);
}

/* --- Deflections ----------------------------------------------------------------------------- */

static armilla_status check_distribution(const armilla_distribution *given,
                                         const armilla_distribution *fields,
                                         const armilla_transport *transport)
{
    armilla_status status = armilla_check_given("deflection->distribution", given);
    if (!status) status = armilla_distribution_check(given, transport);
    if (!status)
        status = armilla_distribution_check_group("deflection->distribution", given,
                                                  ARMILLA_OPERATION_LENSING);
    if (status) return status;
    if (!armilla_distribution_same_rings(given, fields))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "deflection->distribution: must have the rings of the distribution, on "
                            "the same ranks");
    return given->lmax >= 1 ? ARMILLA_OK
                            : armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                           "deflection->distribution: lmax must be 1 or more");
}

static armilla_status check_arrays(const armilla_distributed_deflection *d, int64_t rank,
                                   const armilla_delegation *delegation)
{
    const int64_t size = armilla_distribution_alm_size(d->distribution, rank);
    armilla_status status = ARMILLA_OK;
    if (size) status = armilla_alm_check_array("deflection->gradient", d->gradient);
    if (!status && size && d->has_curl)
        status = armilla_alm_check_array("deflection->curl", d->curl);
    if (!status)
        status = armilla_delegation_check_host(delegation, "deflection->gradient", d->gradient);
    return status ? status : armilla_delegation_check_host(delegation, "deflection->curl", d->curl);
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_distributed_deflection), 0};

armilla_status armilla_rank_deflection_take(const armilla_distributed_deflection *given,
                                            const armilla_distribution *fields,
                                            const armilla_transport *transport,
                                            const armilla_delegation *delegation,
                                            armilla_distributed_deflection *taken)
{
    armilla_status status = armilla_check_given("deflection", given);
    if (status) return status;
    armilla_distributed_deflection_init(taken);
    status = armilla_options_copy("deflection", "armilla_distributed_deflection", given, VERSIONS,
                                  taken);
    if (!status) status = check_distribution(taken->distribution, fields, transport);
    if (status) return status;
    if (taken->kind != ARMILLA_DEFLECTION_POTENTIAL && taken->kind != ARMILLA_DEFLECTION_VECTOR)
        return armilla_fail_argument("deflection->kind", taken->kind,
                                     "must be an armilla_deflection_kind");
    if (taken->curl && !taken->has_curl)
        return armilla_fail_argument("deflection->has_curl", taken->has_curl,
                                     "must be 1 where curl is given");
    return check_arrays(taken, transport->rank, delegation);
}

/* --- The field ------------------------------------------------------------------------------- */

/* What directions are made of. */
typedef struct {
    const armilla_distribution *fields;
    const armilla_distributed_deflection *deflection;
    int64_t rank, size;     /* size: complex numbers of the rank's gradient */
    double *vector, *field; /* alm of spin 1; alpha_theta and alpha_phi, [2][npix] */
    armilla_rank_directions *made;
} making;

/* At most: see number_pixels. */
static int64_t count_spans(const armilla_distribution *d, int64_t rank)
{
    return armilla_larger(armilla_distribution_map_spans(d, rank, NULL),
                          d->rings.start[rank + 1] - d->rings.start[rank]);
}

static armilla_status allocate(making *m)
{
    armilla_rank_directions *d;
    armilla_status status = armilla_allocate_zero(&m->made, 1, sizeof *m->made);
    if (status) return status;
    d = m->made, d->users = 1;
    d->npix = m->fields->rings.size[m->rank];
    if ((status = armilla_allocate(&d->points, 2 * d->npix, sizeof *d->points)) ||
        (status = armilla_allocate(&d->gamma, d->npix, sizeof *d->gamma)) ||
        (status = armilla_allocate(&d->spans, count_spans(m->fields, m->rank), sizeof *d->spans)) ||
        (status = armilla_allocate(&m->vector, 4 * m->size, sizeof *m->vector)))
        return status;
    return armilla_allocate(&m->field, 2 * d->npix, sizeof *m->field);
}

/* Rows of the rank's orders, one behind the other. */
static void fill_vector(const armilla_distributed_deflection *deflection, int64_t rank,
                        const double *alm, double *vector)
{
    const armilla_distribution *d = deflection->distribution;
    for (int64_t i = d->orders.start[rank]; i < d->orders.start[rank + 1]; i++)
        for (int64_t l = d->orders.list[i]; l <= d->lmax; l++, alm += 2, vector += 2) {
            const double factor = armilla_deflection_factor(deflection->kind, l);
            vector[0] = factor * alm[0], vector[1] = factor * alm[1];
        }
}

/* Collective. */
static armilla_status make_field(const armilla_transport *transport, const char *isa, int nthreads,
                                 making *m)
{
    const armilla_distributed_deflection *d = m->deflection;
    armilla_distributed_sht *sht;
    armilla_sht_options options;
    armilla_exec exec;
    armilla_sht_options_init(&options);
    armilla_exec_init(&exec);
    options.spin = 1, options.isa = isa, exec.nthreads = nthreads;
    if (!d->has_curl) options.mode = ARMILLA_SHT_GRADIENT_ONLY;
    if (m->size) fill_vector(d, m->rank, d->gradient, m->vector);
    if (m->size && d->has_curl) fill_vector(d, m->rank, d->curl, m->vector + 2 * m->size);
    armilla_status status =
        armilla_distributed_sht_new(transport, d->distribution, &options, NULL, &sht);
    if (status) return status;
    status = armilla_distributed_sht_synthesis(sht, m->vector, m->field, &exec);
    armilla_distributed_sht_free(sht);
    return status;
}

static armilla_status check_field(const double *field, int64_t npix)
{
    for (int64_t i = 0; i < npix; i++)
        if (!isfinite(field[i]) || !isfinite(field[i + npix]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "deflection: at pixel %lld of the rank's map it is (%g, %g): must "
                                "be finite",
                                (long long)i, field[i], field[i + npix]);
    return ARMILLA_OK;
}

/* --- Directions ------------------------------------------------------------------------------ */

static void deflect_ring(void *context, int64_t index, int thread)
{
    (void)thread;
    const making *m = context;
    const armilla_owned *rings = &m->fields->rings;
    const int64_t ring = rings->list[rings->start[m->rank] + index], npix = m->made->npix;
    const armilla_ring *r = &m->fields->grid->rings[ring];
    const armilla_colatitude start = armilla_colatitude_of(r->theta);
    for (int64_t j = 0, i = rings->place[ring]; j < r->nphi; j++, i++) {
        const double phi = r->phi0 + 2 * M_PI * (double)j / (double)r->nphi;
        m->made->gamma[i] = armilla_deflect_point(start, phi, m->field[i], m->field[i + npix],
                                                  m->made->points + 2 * i);
    }
}

/* On one rank points are numbered as pixels are, or, where the map has gaps, ring by ring. */
static void number_pixels(const making *m)
{
    const armilla_grid *grid = m->fields->grid;
    const armilla_owned *rings = &m->fields->rings;
    armilla_rank_directions *d = m->made;
    if (armilla_grid_samples(grid) == grid->npix) {
        d->nspans = armilla_distribution_map_spans(m->fields, m->rank, d->spans);
        return;
    }
    int64_t before = 0;
    for (int64_t ring = 0; ring < grid->nrings; ring++) {
        const int64_t count = grid->rings[ring].nphi;
        if (rings->member[ring] == m->rank)
            d->spans[d->nspans++] = (armilla_span){before, count, rings->place[ring]};
        before += count;
    }
}

static armilla_status make(const armilla_transport *transport,
                           const armilla_points_options *options, making *m)
{
    const int nthreads = armilla_rank_threads(transport, options->nthreads);
    const armilla_owned *rings = &m->fields->rings;
    armilla_status status = make_field(transport, options->isa, nthreads, m);
    if (!status) status = armilla_agree(transport, check_field(m->field, m->made->npix));
    if (status) return status;
    armilla_team_run(nthreads, rings->start[m->rank + 1] - rings->start[m->rank], deflect_ring, m);
    number_pixels(m);
    return ARMILLA_OK;
}

armilla_status armilla_rank_directions_new(const armilla_transport *transport,
                                           const armilla_distribution *fields,
                                           const armilla_distributed_deflection *deflection,
                                           const armilla_points_options *options,
                                           armilla_rank_directions **directions)
{
    const int64_t rank = transport->rank;
    making m = {.fields = fields,
                .deflection = deflection,
                .rank = rank,
                .size = armilla_distribution_alm_size(deflection->distribution, rank)};
    armilla_status status = armilla_agree(transport, allocate(&m));
    if (!status) status = make(transport, options, &m);
    armilla_release(m.vector);
    armilla_release(m.field);
    if (status)
        armilla_rank_directions_release(m.made);
    else
        *directions = m.made;
    return status;
}

armilla_rank_directions *armilla_rank_directions_share(armilla_rank_directions *directions)
{
    atomic_fetch_add(&directions->users, 1);
    return directions;
}

void armilla_rank_directions_release(armilla_rank_directions *directions)
{
    if (!directions || atomic_fetch_sub(&directions->users, 1) > 1) return;
    armilla_release(directions->points);
    armilla_release(directions->gamma);
    armilla_release(directions->spans);
    armilla_release(directions);
}

int64_t armilla_rank_directions_bytes(const armilla_rank_directions *d)
{
    return 3 * d->npix * (int64_t)sizeof(double) + d->nspans * (int64_t)sizeof(armilla_span);
}
