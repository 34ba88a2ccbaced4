/* The method PIXELS over ranks: windows of the sources that the rank's rows see come from the ranks
 * that have them, from north to south, and the rows add up what each window gives.
 *
 *     rows of all ranks   0 ...              first ... end                 ... count
 *     sources                     from ................................ to
 *     windows                     |    1    |    2    |    3    |    4   |     and their images
 */
#include "ranks/radial/radial.h"

#include "base/integer.h"
#include "base/memory.h"
#include "grid/grid.h"
#include "ranks/agree.h"

/* --- Windows --------------------------------------------------------------------------------- */

static int64_t count_pixels(const armilla_radial_rows *rows, int64_t from, int64_t to)
{
    int64_t npix = 0;
    for (int64_t i = from; i < to; i++) npix += rows->row[i].n;
    return npix;
}

static int64_t count_sides(const armilla_radial *radial)
{
    return 1 + radial->pixels.rows.mirrored;
}

/* The next rows of this rank that are made by PIXELS, without those made elsewhere at the ends. */
static int next_rows(const armilla_radial *radial, armilla_radial_run *run,
                     armilla_radial_run *needed)
{
    const armilla_radial_row *row = radial->pixels.rows.row;
    while (armilla_radial_next_run(radial, run)) {
        *needed = *run;
        while (needed->first < needed->end && row[needed->first].elsewhere) needed->first++;
        while (needed->first < needed->end && row[needed->end - 1].elsewhere) needed->end--;
        if (needed->first < needed->end) return 1;
    }
    return 0;
}

/* Pixels of a window, images too: two belts, so that with narrow supports one window is enough. */
static int64_t most_pixels(const armilla_belt_stage *stage)
{
    const armilla_radial *radial = stage->radial;
    const int64_t npix = count_pixels(&radial->pixels.rows, 0, radial->pixels.rows.count);
    return 2 * npix / stage->plan->transport.nranks / count_sides(radial);
}

/* The windows of some rows; NULL: they are counted. */
static int64_t cut_windows(const armilla_belt_stage *stage, const armilla_radial_run *run,
                           armilla_belt_window *window)
{
    const armilla_radial_rows *rows = &stage->radial->pixels.rows;
    const int64_t most = most_pixels(stage), end = rows->row[run->end - 1].to;
    int64_t count = 0;
    for (int64_t from = rows->row[run->first].from, to; from < end; from = to, count++) {
        int64_t npix = rows->row[from].n;
        for (to = from + 1; to < end && npix + rows->row[to].n <= most; to++)
            npix += rows->row[to].n;
        if (window)
            window[count] =
                (armilla_belt_window){run->first, run->end, from, to, npix, !count && to == end};
    }
    return count;
}

static armilla_status list_windows(const armilla_belt_stage *stage, armilla_belt_windows *w)
{
    armilla_radial_run run = {0, 0}, needed;
    w->count = 0;
    while (next_rows(stage->radial, &run, &needed)) w->count += cut_windows(stage, &needed, NULL);
    armilla_status status = armilla_allocate(&w->window, w->count, sizeof *w->window);
    if (status) return status;
    w->count = 0, run = (armilla_radial_run){0, 0};
    while (next_rows(stage->radial, &run, &needed))
        w->count += cut_windows(stage, &needed, w->window + w->count);
    for (int64_t i = 0; i < w->count; i++)
        w->most_npix = armilla_larger(w->most_npix, w->window[i].npix);
    return ARMILLA_OK;
}

/* --- Where their pixels come from ------------------------------------------------------------ */

/* Spans number pixels by rows, from north to south, and the pixels of a row as its ring does. */
typedef struct {
    int64_t *start; /* [rows + 1] */
    int64_t nown;
    armilla_span *own; /* of the belt */
} row_numbers;

static armilla_status number_rows(const armilla_belt_stage *stage, row_numbers *n)
{
    const armilla_radial_rows *rows = &stage->radial->pixels.rows;
    const int64_t *places = stage->windows.out_at;
    armilla_status status;
    if ((status = armilla_allocate(&n->start, rows->count + 1, sizeof *n->start)) ||
        (status = armilla_allocate(&n->own, rows->count, sizeof *n->own)))
        return status;
    n->start[0] = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        const armilla_radial_row *row = &rows->row[i];
        n->start[i + 1] = n->start[i] + row->n;
        if (places[row->ring[0]] >= 0)
            n->own[n->nown++] = (armilla_span){n->start[i], row->n, places[row->ring[0]]};
    }
    return ARMILLA_OK;
}

/* All ranks fetch as often; those without a window fetch nothing. */
static armilla_status make_fetch(const armilla_belt_stage *stage, const row_numbers *n,
                                 int64_t number, armilla_redistribution **fetch)
{
    const armilla_radial_rows *rows = &stage->radial->pixels.rows;
    const armilla_belt_window *w = stage->windows.window + number;
    armilla_span wanted[2];
    int64_t count = 0;
    if (number < stage->windows.count) {
        wanted[count++] = (armilla_span){n->start[w->from], w->npix, 0};
        if (rows->mirrored)
            wanted[count++] = (armilla_span){n->start[rows->count - w->to], w->npix, w->npix};
    }
    return armilla_redistribution_new(&stage->plan->transport, n->nown, n->own, count, wanted, NULL,
                                      fetch);
}

static armilla_status make_fetches(const armilla_belt_stage *stage, const row_numbers *n,
                                   armilla_belt_windows *w)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < w->nfetches && !status; i++)
        status = make_fetch(stage, n, i, &w->fetch[i]);
    return status;
}

static armilla_status prepare(const armilla_belt_stage *stage, armilla_belt_windows *w,
                              row_numbers *n)
{
    const armilla_grid *grid = armilla_radial_whole(stage->radial);
    armilla_status status;
    if ((status = armilla_allocate(&w->out_at, grid->nrings, sizeof *w->out_at)) ||
        (status = armilla_allocate_zero(&w->map_at, grid->nrings, sizeof *w->map_at)))
        return status;
    armilla_radial_place_rings(grid, stage->radial->mine, w->out_at);
    status = list_windows(stage, w);
    return status ? status : number_rows(stage, n);
}

armilla_status armilla_belt_windows_make(armilla_belt_stage *stage, armilla_status status)
{
    const armilla_transport *transport = &stage->plan->transport;
    armilla_belt_windows *w = &stage->windows;
    row_numbers n = {.start = NULL};
    int64_t most = 0;
    if (!status) status = prepare(stage, w, &n);
    if (!status) most = w->count;
    if (!(status = armilla_agree_largest(transport, status, 1, &most))) {
        w->nfetches = most;
        status = armilla_allocate_zero(&w->fetch, most, sizeof *w->fetch);
        if (!(status = armilla_agree(transport, status))) status = make_fetches(stage, &n, w);
    }
    armilla_release(n.start), armilla_release(n.own);
    return status;
}

void armilla_belt_windows_clear(armilla_belt_windows *windows)
{
    for (int64_t i = 0; windows->fetch && i < windows->nfetches; i++)
        armilla_redistribution_free(windows->fetch[i]);
    armilla_release(windows->fetch), armilla_release(windows->window);
    armilla_release(windows->map_at), armilla_release(windows->out_at);
    *windows = (armilla_belt_windows){.count = 0};
}

/* --- A call ---------------------------------------------------------------------------------- */

/* A call, and its memory: room is for one window of maps, and of weights. */
typedef struct {
    const armilla_belt_stage *stage;
    armilla_radial_job job;
    armilla_maps maps;
    armilla_work work;
    int64_t room; /* pixels of a window, images too */
    double *divided, *map, *weights, *sums;
} run;

static void open_job(const run *r, const armilla_belt_window *w, armilla_radial_job *job)
{
    *job = r->job;
    job->first = w->first, job->end = w->end, job->from = w->from, job->to = w->to;
    job->sums = w->only ? NULL : r->sums;
}

/* Doubles of the largest sums between windows, and of a thread's scratch. */
static int64_t find_sizes(run *r)
{
    static double any;
    const armilla_belt_windows *windows = &r->stage->windows;
    int64_t sums = 0;
    r->sums = &any; /* only counted */
    for (int64_t i = 0; i < windows->count; i++) {
        armilla_radial_job job;
        open_job(r, &windows->window[i], &job);
        if (job.sums) sums = armilla_larger(sums, armilla_radial_pixels_sums(&job));
        r->work.scratch_size = armilla_larger(
            r->work.scratch_size,
            armilla_round_line(armilla_radial_pixels_scratch(&job, r->work.nthreads)));
    }
    return armilla_round_line(sums);
}

/* Adjoint of SUM: the divisors of PIXELS belong to rows, and come before the sources leave. */
static int divides(const run *r)
{
    return r->job.adjoint && !r->job.plain && r->stage->radial->pixels.divisor;
}

static armilla_status take_memory(run *r, double **memory)
{
    const int64_t npix = r->stage->radial->grid->npix, nmaps = r->job.nmaps;
    const int64_t divided = divides(r) ? armilla_round_line(nmaps * npix) : 0;
    const int64_t map = armilla_round_line(nmaps * r->room);
    const int64_t weights = r->job.weights ? armilla_round_line(r->room) : 0;
    const int64_t sums = find_sizes(r);
    const armilla_status status = armilla_workspace_take(
        r->stage->radial->workspace,
        divided + map + weights + sums + r->work.nthreads * r->work.scratch_size, memory);
    if (status) return status;
    r->divided = *memory, r->map = r->divided + divided, r->weights = r->map + map;
    r->sums = r->weights + weights, r->work.scratch = r->sums + sums;
    return ARMILLA_OK;
}

/* The divisor of a pixel repeats with the arcs of its row. */
static void divide_row(const run *r, const armilla_radial_row *row, int64_t number, int image)
{
    const armilla_radial_pixels *pixels = &r->stage->radial->pixels;
    const double *divisor = pixels->divisor + pixels->divisor_first[number];
    const int64_t place = r->stage->windows.out_at[row->ring[image]];
    const int64_t npix = r->stage->radial->grid->npix;
    for (int64_t map = 0; map < r->job.nmaps; map++) {
        const armilla_array in = armilla_maps_from(&r->maps, map).in;
        for (int64_t j = 0; j < row->n; j++) {
            const int64_t pixel = place + (row->base[image] + j) % row->n;
            const double scale = 1 / divisor[row->uniform ? 0 : j % row->arc];
            r->divided[map * npix + pixel] = armilla_array_get(in, pixel) * scale;
        }
    }
}

static void divide_all(run *r)
{
    const armilla_radial_rows *rows = &r->stage->radial->pixels.rows;
    armilla_radial_run some = {0, 0};
    while (armilla_radial_next_run(r->stage->radial, &some))
        for (int64_t i = some.first; i < some.end; i++)
            for (int image = 0; image <= rows->mirrored; image++)
                divide_row(r, &rows->row[i], i, image);
    r->maps.in = (armilla_array){r->divided, 0};
    r->maps.in_distance = r->stage->radial->grid->npix;
    r->job.plain = 1;
}

/* Notes where the sources of a window are. */
static void place_sources(const run *r, const armilla_belt_window *w)
{
    const armilla_radial_rows *rows = &r->stage->radial->pixels.rows;
    int64_t next = 0;
    for (int image = 0; image <= rows->mirrored; image++) {
        const int64_t from = image ? rows->count - w->to : w->from;
        const int64_t to = image ? rows->count - w->from : w->to;
        for (int64_t i = from; i < to; next += rows->row[i++].n)
            r->stage->windows.map_at[rows->row[i].ring[0]] = next;
    }
}

static armilla_status fetch(const run *r, int64_t number)
{
    const armilla_redistribution *from = r->stage->windows.fetch[number];
    armilla_status status =
        armilla_redistribution_run(from, armilla_array_item_size(r->maps.in), r->job.nmaps,
                                   r->maps.in.values, r->maps.in_distance, r->map, r->room);
    if (!status && r->job.weights)
        status = armilla_redistribution_run(from, 8, 1, r->job.weights, 0, r->weights, 0);
    return status;
}

static void run_window(const run *r, const armilla_belt_window *w)
{
    armilla_radial_job job;
    const armilla_maps maps = {
        {r->map, r->maps.in.is_float}, r->maps.out, r->room, r->maps.out_distance};
    open_job(r, w, &job);
    job.map_at = r->stage->windows.map_at, job.out_at = r->stage->windows.out_at;
    if (job.weights) job.weights = r->weights;
    place_sources(r, w);
    armilla_radial_pixels_run(&job, &maps, &r->work);
}

/* Where a call is cancelled, its ranks go on to fetch, and make nothing of it. */
static armilla_status run_all(run *r)
{
    const armilla_belt_windows *windows = &r->stage->windows;
    armilla_status status = ARMILLA_OK;
    if (divides(r)) divide_all(r);
    for (int64_t i = 0; i < windows->nfetches; i++) {
        if ((status = fetch(r, i))) return status;
        if (i < windows->count) run_window(r, &windows->window[i]);
    }
    return armilla_agree(&r->stage->plan->transport, armilla_progress_status(r->work.progress));
}

armilla_status armilla_belt_windows_run(const armilla_belt_stage *stage,
                                        const armilla_radial_call *call, armilla_maps maps)
{
    run r = {.stage = stage, .job = armilla_radial_make_job(call), .maps = maps};
    double *memory = NULL;
    r.work.nthreads = call->nthreads, r.work.progress = call->progress;
    r.room = count_sides(stage->radial) * stage->windows.most_npix;
    r.job.npix = armilla_larger(r.room + stage->radial->grid->npix, 1);
    armilla_status status = armilla_agree(&stage->plan->transport, take_memory(&r, &memory));
    if (!status) status = run_all(&r);
    if (memory) armilla_workspace_give(stage->radial->workspace, memory);
    return status;
}
