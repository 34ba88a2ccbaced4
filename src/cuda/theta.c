/* Takes rows of leg from one set of rings to another on a GPU, batch by batch of columns, by three
 * kernels and two transforms of cuFFT in either direction. The scratch of a call has the coarse
 * circles of a batch, its fine circles, and the work area of cuFFT. */
#include "cuda/theta.h"

#include "base/memory.h"
#include "cuda/device_memory.h"
#include "cuda/fft_plans.h"

enum {
    COMPLEX = 2 * sizeof(double),
    MOST_COLUMNS = 65535, /* of a launch */
    BUFFERS = 9,
    ALIGNMENT = 256
};

struct armilla_cuda_theta {
    armilla_cuda_theta_view view; /* with pointers of the device */
    int64_t ncolumns, batch;      /* columns of a set, of a batch at most */
    int near_is_to;
    armilla_cuda_fft_plans *plans;
    int64_t area; /* bytes of the scratch before the work area */
    int64_t fine; /* bytes before the fine circles */
    int nbuffers;
    void *buffers[BUFFERS];
    int64_t bytes;
};

/* --- Calls ----------------------------------------------------------------------------------- */

typedef struct {
    const armilla_cuda_theta *theta;
    armilla_cuda_theta_columns columns;
    void *area;
    armilla_cuda_work *work;
} batch_call;

/* A transform of length 1 leaves its number as it is, and cuFFT need not have it. */
static void transform_coarse(const batch_call *b)
{
    const int64_t length = b->theta->view.coarse;
    if (length > 1)
        armilla_cuda_fft_plans_run(b->theta->plans, length, b->columns.count, b->columns.coarse,
                                   CUFFT_FORWARD, b->area, b->work);
}

static void transform_fine(const batch_call *b)
{
    armilla_cuda_fft_plans_run(b->theta->plans, b->theta->view.fine, b->columns.count,
                               b->columns.fine, CUFFT_INVERSE, b->area, b->work);
}

static void run_to(const batch_call *b)
{
    const armilla_cuda_theta_view *view = &b->theta->view;
    cudaStream_t stream = b->work->stream;
    armilla_cuda_note(b->work, armilla_cuda_theta_put(view, &b->columns, stream));
    transform_coarse(b);
    armilla_cuda_note(b->work, armilla_cuda_theta_widen(view, &b->columns, stream));
    transform_fine(b);
    armilla_cuda_note(b->work, armilla_cuda_theta_interpolate(view, &b->columns, stream));
}

static void run_from(const batch_call *b)
{
    const armilla_cuda_theta_view *view = &b->theta->view;
    cudaStream_t stream = b->work->stream;
    armilla_cuda_note(b->work, armilla_cuda_theta_spread(view, &b->columns, stream));
    transform_fine(b);
    armilla_cuda_note(b->work, armilla_cuda_theta_narrow(view, &b->columns, stream));
    transform_coarse(b);
    armilla_cuda_note(b->work, armilla_cuda_theta_take(view, &b->columns, stream));
}

static void run(const armilla_cuda_theta *theta, const armilla_leg *leg, armilla_cuda_work *work,
                int to)
{
    const armilla_leg_block *block = leg->layout->blocks;
    char *scratch = work->scratch;
    batch_call b = {.theta = theta, .area = scratch + theta->area, .work = work};
    b.columns.coarse = work->scratch;
    b.columns.fine = (double *)(void *)(scratch + theta->fine);
    b.columns.row_length = block->row_length;
    for (int64_t set = 0; set < leg->nsets; set++) {
        b.columns.leg = armilla_leg_row(leg, block, set, 0);
        for (int64_t i = 0; i < theta->ncolumns; i += theta->batch) {
            const int64_t rest = theta->ncolumns - i;
            b.columns.first = i, b.columns.count = rest < theta->batch ? rest : theta->batch;
            (to ? run_to : run_from)(&b);
        }
    }
}

void armilla_cuda_theta_to_far(const armilla_cuda_theta *theta, const armilla_leg *leg,
                               armilla_cuda_work *work)
{
    run(theta, leg, work, !theta->near_is_to);
}

void armilla_cuda_theta_to_near(const armilla_cuda_theta *theta, const armilla_leg *leg,
                                armilla_cuda_work *work)
{
    run(theta, leg, work, theta->near_is_to);
}

/* --- Plans ----------------------------------------------------------------------------------- */

static int64_t round_part(int64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Transforms of `batch` columns, and of those that are left for the last batch. */
static armilla_status plan_batches(armilla_cuda_theta *theta, int64_t batch)
{
    const int64_t counts[2] = {batch, theta->ncolumns % batch};
    const armilla_cuda_theta_view *view = &theta->view;
    armilla_status status = armilla_cuda_fft_plans_new(&theta->plans);
    for (int i = 0; i < 2 && !status; i++) {
        if (counts[i] == 0) continue;
        if (view->coarse > 1)
            status = armilla_cuda_fft_plans_add(theta->plans, view->coarse, counts[i]);
        if (!status) status = armilla_cuda_fft_plans_add(theta->plans, view->fine, counts[i]);
    }
    theta->batch = batch;
    theta->fine = round_part(COMPLEX * view->coarse * batch);
    theta->area = theta->fine + round_part(COMPLEX * view->fine * batch);
    return status;
}

/* cuFFT names its work area only when it has planned: batches are halved until all fits, or until
 * each has one column. */
static armilla_status fit_batches(armilla_cuda_theta *theta, int64_t most)
{
    int64_t batch = theta->ncolumns < MOST_COLUMNS ? theta->ncolumns : MOST_COLUMNS;
    for (;;) {
        const int64_t size = COMPLEX * (theta->view.coarse + theta->view.fine) * batch;
        if (size <= most || batch == 1) {
            const armilla_status status = plan_batches(theta, batch);
            if (status || armilla_cuda_theta_scratch(theta) <= most || batch == 1) return status;
            armilla_cuda_fft_plans_free(theta->plans);
            theta->plans = NULL;
        }
        batch = (batch + 1) / 2;
    }
}

typedef struct {
    armilla_cuda_theta *theta;
    armilla_status status;
} upload;

/* A copy on the device; NULL for no items, and after the first failure. */
static const void *put(upload *u, const void *host, int64_t count, size_t size)
{
    void *device = NULL;
    if (u->status || count <= 0) return NULL;
    u->status = armilla_cuda_upload(host, count, size, "tables of the theta stage", &device);
    if (u->status) return NULL;
    u->theta->buffers[u->theta->nbuffers++] = device;
    u->theta->bytes += count * (int64_t)size;
    return device;
}

/* The view with pointers of the device. */
static armilla_status put_tables(armilla_cuda_theta *theta, const armilla_cuda_theta_tables *tables)
{
    armilla_cuda_theta_view *view = &theta->view;
    upload u = {theta, ARMILLA_OK};
    *view = tables->view;
    view->samples = put(&u, tables->samples, view->nsamples, sizeof *tables->samples);
    view->points = put(&u, tables->points, view->npoints, sizeof *tables->points);
    view->spots = put(&u, tables->spots, view->nspots, sizeof *tables->spots);
    view->weights = put(&u, tables->weights, view->taps * view->npoints, sizeof(double));
    view->range = put(&u, tables->range, tables->range ? view->fine + 2 : 0, sizeof *tables->range);
    view->factor = put(&u, tables->factor, 2 * (view->band + 1), sizeof(double));
    view->rows = put(&u, tables->rows, 2 * tables->ncolumns, sizeof(int64_t));
    view->least_from = put(&u, tables->least[0], tables->norders, sizeof(int64_t));
    view->least_to = put(&u, tables->least[1], tables->norders, sizeof(int64_t));
    return u.status;
}

armilla_status armilla_cuda_theta_new(const armilla_theta_problem *problem,
                                      const armilla_cuda_theta_rows *rows, int64_t most,
                                      armilla_cuda_theta **theta)
{
    armilla_cuda_theta_tables tables;
    armilla_cuda_theta *result;
    armilla_status status = armilla_cuda_theta_check(problem);
    if (status || (status = armilla_allocate_zero(&result, 1, sizeof *result))) return status;
    if (!(status = armilla_cuda_theta_tables_make(problem, rows, &tables))) {
        result->ncolumns = tables.ncolumns;
        result->near_is_to = problem->near_is_to;
        status = put_tables(result, &tables);
        armilla_cuda_theta_tables_clear(&tables);
    }
    if (!status) status = fit_batches(result, most);
    if (status)
        armilla_cuda_theta_free(result);
    else
        *theta = result;
    return status;
}

void armilla_cuda_theta_free(armilla_cuda_theta *theta)
{
    if (!theta) return;
    armilla_cuda_fft_plans_free(theta->plans);
    for (int i = 0; i < theta->nbuffers; i++) armilla_cuda_release(theta->buffers[i]);
    armilla_release(theta);
}

int64_t armilla_cuda_theta_bytes(const armilla_cuda_theta *theta)
{
    return theta->bytes;
}

int64_t armilla_cuda_theta_scratch(const armilla_cuda_theta *theta)
{
    return theta->area + armilla_cuda_fft_plans_work(theta->plans);
}
