/* Takes rows of leg from one set of rings to another on a GPU, by three kernels and two transforms
 * of cuFFT in either direction: all columns of as many sets as have room, or batches of the columns
 * of one set. The scratch of a call has the coarse circles of the columns that go together, their
 * fine circles, and the work area of cuFFT. */
#include "cuda/stages/theta.h"

#include "base/integer.h"
#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/fft_plans.h"

enum {
    COMPLEX = 2 * sizeof(double),
    MOST_COLUMNS = 65535, /* of a launch */
    BUFFERS = 9
};

struct armilla_cuda_theta {
    armilla_cuda_theta_view view; /* with pointers of the device */
    int64_t ncolumns, batch;      /* columns of a set, of a batch at most */
    int near_is_to;
    armilla_cuda_fft_plans *plans;
    armilla_cuda_fft_room room;
    int nbuffers;
    void *buffers[BUFFERS];
    int64_t bytes;
};

/* --- Calls ----------------------------------------------------------------------------------- */

typedef struct {
    const armilla_cuda_theta *theta;
    armilla_cuda_theta_columns columns;
    int64_t nsets; /* 1 for a batch of columns */
    void *area;
    armilla_cuda_work *work;
} batch_call;

static void transform(const batch_call *b, int64_t length, double *circles, int sign)
{
    const armilla_cuda_fft_rows rows = {circles, length, b->columns.count / b->nsets, b->nsets};
    armilla_cuda_fft_plans_run(b->theta->plans, &rows, sign, b->area, b->work);
}

/* A transform of length 1 leaves its number as it is, and cuFFT need not have it. */
static void transform_coarse(const batch_call *b)
{
    const int64_t length = b->theta->view.coarse;
    if (length > 1) transform(b, length, b->columns.coarse, CUFFT_FORWARD);
}

static void transform_fine(const batch_call *b)
{
    transform(b, b->theta->view.fine, b->columns.fine, CUFFT_INVERSE);
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

/* Bytes of the coarse circles, or of the fine ones, of so many columns. */
static int64_t circle_bytes(int64_t length, int64_t columns)
{
    return armilla_cuda_round_part(COMPLEX * length * columns);
}

/* How many of these sets go together. */
static int64_t sets_together(const armilla_cuda_theta *theta, int64_t nsets)
{
    const int64_t most = armilla_smaller(nsets, MOST_COLUMNS / theta->batch);
    return theta->batch < theta->ncolumns
               ? 1
               : armilla_cuda_fft_plans_fit(theta->plans, &theta->room, most);
}

static batch_call start(const armilla_cuda_theta *theta, const armilla_leg *leg, int64_t together,
                        armilla_cuda_work *work)
{
    const armilla_leg_block *block = leg->layout->blocks;
    char *coarse = work->scratch;
    char *fine = coarse + circle_bytes(theta->view.coarse, together * theta->batch);
    return (batch_call){.theta = theta,
                        .columns = {.leg = armilla_leg_row(leg, block, 0, 0),
                                    .row_length = block->row_length,
                                    .set_length = armilla_leg_set_length(block),
                                    .ncolumns = theta->ncolumns,
                                    .coarse = (double *)(void *)coarse,
                                    .fine = (double *)(void *)fine},
                        .area = fine + circle_bytes(theta->view.fine, together * theta->batch),
                        .work = work};
}

/* Columns of all sets, one set behind the other. */
static void run(const armilla_cuda_theta *theta, const armilla_leg *leg, armilla_cuda_work *work,
                int to)
{
    const int64_t together = sets_together(theta, leg->nsets);
    batch_call b = start(theta, leg, together, work);
    for (int64_t set = 0; set < leg->nsets; set += together) {
        b.nsets = armilla_smaller(together, leg->nsets - set);
        b.columns.leg = armilla_leg_row(leg, leg->layout->blocks, set, 0);
        for (int64_t i = 0; i < theta->ncolumns; i += theta->batch) {
            b.columns.first = i;
            b.columns.count = b.nsets * armilla_smaller(theta->batch, theta->ncolumns - i);
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

/* Transforms of `batch` columns, and of those that are left for the last batch. */
static armilla_status plan_batches(armilla_cuda_theta *theta, int64_t batch)
{
    const int64_t counts[2] = {batch, theta->ncolumns % batch};
    const armilla_cuda_theta_view *view = &theta->view;
    armilla_status status = armilla_cuda_fft_plans_new(0, &theta->plans);
    for (int i = 0; i < 2 && !status; i++) {
        if (counts[i] == 0) continue;
        if (view->coarse > 1)
            status = armilla_cuda_fft_plans_add(theta->plans, view->coarse, counts[i], 1);
        if (!status) status = armilla_cuda_fft_plans_add(theta->plans, view->fine, counts[i], 1);
    }
    theta->batch = batch;
    theta->room.of_set = COMPLEX * (view->coarse + view->fine) * batch;
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
            if (status || armilla_cuda_theta_scratch(theta, 1) <= most || batch == 1) return status;
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
    result->room = (armilla_cuda_fft_room){0, 2 * ARMILLA_CUDA_ALIGNMENT, most};
    if (!status) status = fit_batches(result, most);
    if (!status && result->batch == result->ncolumns)
        status = armilla_cuda_fft_plans_widen(result->plans, &result->room);
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

int64_t armilla_cuda_theta_scratch(const armilla_cuda_theta *theta, int64_t nsets)
{
    const int64_t together = sets_together(theta, nsets), columns = together * theta->batch;
    return circle_bytes(theta->view.coarse, columns) + circle_bytes(theta->view.fine, columns) +
           armilla_cuda_fft_plans_work(theta->plans, together);
}

int64_t armilla_cuda_theta_launches(const armilla_cuda_theta *theta, int64_t nsets)
{
    const int64_t together = sets_together(theta, nsets), lengths = 1 + (theta->view.coarse > 1);
    const int64_t batches = (theta->ncolumns + theta->batch - 1) / theta->batch;
    int64_t launches = 0;
    for (int64_t set = 0; set < nsets; set += together) {
        const int64_t some = armilla_smaller(together, nsets - set);
        launches += batches * (3 + lengths * armilla_cuda_fft_plans_calls(theta->plans, some));
    }
    return launches;
}
