/* Keeps the tables of a radial convolution on a GPU, and what the host needs of them: how rows lie
 * in maps, which tiles a range of rows has, and how much work. Calls: radial_run.c. */
#include "cuda/radial_plan.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/device_pool.h"

#include <string.h>

/* --- Tables on the device --------------------------------------------------------------------- */

/* Replaces an array of the host by a copy on the device. */
static armilla_status upload(armilla_cuda_radial *r, const void *host, int64_t count, size_t size,
                             const void *at)
{
    void *device = NULL;
    const armilla_status status =
        armilla_cuda_upload(host, count, size, "tables of a radial convolution", &device);
    *(const void **)(uintptr_t)at = device;
    r->bytes += status ? 0 : count * (int64_t)size;
    return status;
}

static armilla_status upload_tables(armilla_cuda_radial *r,
                                    const armilla_cuda_radial_problem *problem)
{
    const armilla_cuda_radial_view *from = &problem->view;
    armilla_cuda_radial_view *to = &r->view;
    const int64_t ntiles = from->nuniform + from->nother;
    armilla_status status;
    if ((status = upload(r, from->rows, problem->nrows, sizeof *from->rows, &to->rows)) ||
        (status = upload(r, from->links, problem->nlinks, sizeof *from->links, &to->links)) ||
        (status = upload(r, from->tiles, ntiles, sizeof *from->tiles, &to->tiles)) ||
        (status = upload(r, from->values, problem->nvalues, sizeof(double), &to->values)) ||
        (status = upload(r, from->divisor, problem->ndivisors, sizeof(double), &to->divisor)) ||
        (status = upload(r, from->term, problem->nterms, sizeof(double), &to->term)) ||
        (status = upload(r, from->half, problem->nhalf, sizeof(double), &to->half)) ||
        (status = upload(r, from->fits, problem->nfits, sizeof(double), &to->fits)) ||
        (status = upload(r, from->coef, problem->ncoef, sizeof(double), &to->coef)) ||
        (status = upload(r, from->border, from->ncells, sizeof(double), &to->border)))
        return status;
    return armilla_cuda_status(cudaDeviceSynchronize(), "waiting for a radial plan's tables");
}

static void clear_tables(armilla_cuda_radial_view *view)
{
    view->rows = NULL, view->links = NULL, view->tiles = NULL, view->values = NULL;
    view->divisor = NULL, view->term = NULL, view->half = NULL, view->coef = NULL;
    view->border = NULL, view->fits = NULL;
}

static void release(const void *device)
{
    armilla_cuda_release((void *)(uintptr_t)device);
}

static void release_tables(const armilla_cuda_radial_view *view)
{
    release(view->rows), release(view->links), release(view->tiles), release(view->values);
    release(view->divisor), release(view->term), release(view->half), release(view->coef);
    release(view->border), release(view->fits);
}

/* --- Tables on the host ----------------------------------------------------------------------- */

static int is_in_sequence(const armilla_cuda_radial *r)
{
    for (int64_t i = 0; i < r->nrows; i++)
        if (r->rows[i].stride[0] != 1 ||
            r->rows[i].offset[0] != r->rows[0].offset[0] + r->rows[i].packed[0])
            return 0;
    return !r->view.nside;
}

static void count_tiles(armilla_cuda_radial *r, const armilla_cuda_radial_link *links)
{
    for (int64_t i = 0; i < r->nout; i++) {
        const armilla_cuda_radial_row *row = &r->rows[i];
        const int64_t tiles = armilla_cuda_radial_tiles(row->arc);
        double products = 0;
        for (int64_t e = 0; e < row->nlinks; e++) products += links[row->link + e].count;
        for (int k = 0; k < 2; k++)
            r->tile[k][i + 1] = r->tile[k][i] + (k == !row->uniform ? tiles : 0);
        r->work[i + 1] = r->work[i] + products * (double)tiles;
    }
}

static armilla_status make_host_tables(armilla_cuda_radial *r,
                                       const armilla_cuda_radial_problem *problem)
{
    armilla_status status = armilla_allocate(&r->rows, r->nrows, sizeof *r->rows);
    if (!status) status = armilla_allocate_zero(&r->packed, r->nrows + 1, sizeof *r->packed);
    if (!status) status = armilla_allocate_zero(&r->tile[0], r->nout + 1, sizeof *r->tile[0]);
    if (!status) status = armilla_allocate_zero(&r->tile[1], r->nout + 1, sizeof *r->tile[1]);
    if (!status) status = armilla_allocate_zero(&r->work, r->nout + 1, sizeof *r->work);
    if (!status) status = armilla_allocate(&r->enqueuing, 1, sizeof *r->enqueuing);
    if (status) return status;
    pthread_mutex_init(r->enqueuing, NULL); /* holds nothing that had to be destroyed, on Linux */
    memcpy(r->rows, problem->view.rows, (size_t)r->nrows * sizeof *r->rows);
    for (int64_t i = 0; i < r->nrows; i++) r->packed[i + 1] = r->packed[i] + r->rows[i].n;
    r->mirrored = r->nrows && r->rows[0].images == 2, r->in_sequence = is_in_sequence(r);
    count_tiles(r, problem->view.links);
    return ARMILLA_OK;
}

/* --- Plans ------------------------------------------------------------------------------------ */

armilla_status armilla_cuda_radial_new(const armilla_cuda_radial_problem *problem,
                                       const armilla_cuda_radial *scalar,
                                       armilla_cuda_radial **radial)
{
    armilla_cuda_radial *r;
    armilla_status status = armilla_allocate_zero(&r, 1, sizeof *r);
    if (status) return status;
    r->view = problem->view;
    clear_tables(&r->view);
    r->scalar = scalar, r->npix = problem->npix, r->samples = problem->samples;
    r->nrows = problem->nrows, r->nout = problem->nout, r->device_bytes = problem->device_bytes;
    if (!(status = make_host_tables(r, problem)) &&
        !(status = armilla_cuda_current_device(&r->device)) &&
        !(status = armilla_cuda_pool_open(r->device))) {
        r->open = 1;
        status = upload_tables(r, problem);
    }
    if (status)
        armilla_cuda_radial_free(r);
    else
        *radial = r;
    return status;
}

void armilla_cuda_radial_free(armilla_cuda_radial *radial)
{
    int before;
    if (!radial) return;
    (void)armilla_cuda_enter_device(radial->device, &before);
    release_tables(&radial->view);
    if (radial->open) armilla_cuda_pool_close(radial->device);
    armilla_cuda_leave_device(radial->device, before);
    armilla_release(radial->rows), armilla_release(radial->packed), armilla_release(radial->work);
    armilla_release(radial->tile[0]), armilla_release(radial->tile[1]);
    armilla_release(radial->enqueuing);
    armilla_release(radial);
}

/* The first row in front of which there is this part of the work. */
static int64_t find_border(const armilla_cuda_radial *radial, double part)
{
    int64_t low = 0, high = radial->nout;
    if (part >= 1) return high;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (radial->work[middle] < part * radial->work[radial->nout])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void armilla_cuda_radial_part(const armilla_cuda_radial *radial, int64_t nparts, int64_t part,
                              int64_t rows[2])
{
    for (int i = 0; i < 2; i++) rows[i] = find_border(radial, (double)(part + i) / (double)nparts);
}
