/* Makes and runs the transforms of a command over ranks. As on one process, I and T are a scalar
 * transform, Q, U and E, B one of spin 2: the bits are the same. */
#include "transform_ranks.h"

#include "message.h"
#include "progress.h"
#include "ranks.h"

#include <stdlib.h>

static const double scalar_share = 1.0 / 3; /* of the work for I, Q and U, about */

/* Which grid the distribution has plays no part where there are no pixels. */
static armilla_status make_distribution(const transform *self, const int64_t *members,
                                        transform_ranks *result)
{
    armilla_distribution_options options;
    armilla_grid *any = NULL;
    armilla_distribution_options_init(&options);
    options.ring_member = members;
    armilla_status status = self->grid ? ARMILLA_OK : armilla_grid_new_named("gl:2x4", &any);
    if (!status)
        status =
            armilla_distribution_new(any ? any : self->grid, self->lmax, self->mmax,
                                     ranks_transport()->nranks, &options, &result->distribution);
    armilla_grid_free(any);
    return status;
}

/* What a rank does by itself. */
static int prepare(const pixel_share *pixels, transform *self)
{
    self->ranks = calloc(1, sizeof *self->ranks);
    if (!self->ranks) return memory_error();
    int64_t *members = pixels ? share_ring_members(pixels) : NULL;
    if (pixels && !members) return CLI_FAILED;
    armilla_status status = make_distribution(self, members, self->ranks);
    free(members);
    if (status) return library_error(status, NULL);
    self->ranks->rank = ranks_transport()->rank;
    self->alm_size = armilla_distribution_alm_size(self->ranks->distribution, self->ranks->rank);
    return CLI_OK;
}

int transform_ranks_deal(const pixel_share *pixels, transform *self)
{
    return ranks_agree(prepare(pixels, self));
}

static int make_plans(const transform *self, transform_ranks *result)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    armilla_status status = armilla_distributed_sht_new(ranks_transport(), result->distribution,
                                                        &options, NULL, &result->scalar);
    options.spin = 2;
    if (!status && self->ncomp > 1)
        status = armilla_distributed_sht_new(ranks_transport(), result->distribution, &options,
                                             NULL, &result->polar);
    return status ? library_error(status, NULL) : CLI_OK;
}

int transform_ranks_new(const pixel_share *pixels, transform *self)
{
    const int code = transform_ranks_deal(pixels, self);
    return code == CLI_OK ? make_plans(self, self->ranks) : code;
}

void transform_ranks_free(transform_ranks *self)
{
    if (!self) return;
    armilla_distributed_sht_free(self->scalar);
    armilla_distributed_sht_free(self->polar);
    armilla_distribution_free(self->distribution);
    free(self);
}

armilla_status transform_ranks_analysis(const transform *self, const reals *maps, double *alm,
                                        const armilla_pseudo_options *options,
                                        armilla_pseudo_report *reports, const armilla_exec *exec)
{
    const transform_ranks *ranks = self->ranks;
    progress_part(0, ranks->polar ? scalar_share : 1);
    armilla_status status = armilla_distributed_sht_pseudo_analysis(ranks->scalar, maps[0].doubles,
                                                                    alm, options, reports, exec);
    if (status || !ranks->polar) return status;
    progress_part(scalar_share, 1);
    return armilla_distributed_sht_pseudo_analysis(
        ranks->polar, maps[1].doubles, alm + 2 * self->alm_size, options, reports + 1, exec);
}

armilla_status transform_ranks_synthesis(const transform *self, const double *alm,
                                         const reals *maps, const armilla_exec *exec)
{
    const transform_ranks *ranks = self->ranks;
    progress_part(0, ranks->polar ? scalar_share : 1);
    armilla_status status =
        armilla_distributed_sht_synthesis(ranks->scalar, alm, maps[0].doubles, exec);
    if (status || !ranks->polar) return status;
    progress_part(scalar_share, 1);
    return armilla_distributed_sht_synthesis(ranks->polar, alm + 2 * self->alm_size,
                                             maps[1].doubles, exec);
}
