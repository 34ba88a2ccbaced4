/* Cuts maps and coefficients into windows, for each of which a redistribution moves what the ranks
 * have to where it is read or written. A window has a given number of elements, at most MOST and at
 * least LEAST, so that small files are cut, too, if not as finely. */
#include "windows.h"

#include "message.h"
#include "ranks.h"

#include <stdlib.h>

enum {
    LEAST = 1 << 10,
    MOST = 1 << 20,   /* of a rank in reading, of rank 0 in writing: 8 MB of pixels */
    READ_PARTS = 16,  /* of what a rank has, as long as a part is not below LEAST or above MOST */
    WRITE_PARTS = 128 /* of what there is */
};

static int64_t clamp(int64_t size)
{
    return size < LEAST ? LEAST : size > MOST ? MOST : size;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* --- Maps ------------------------------------------------------------------------------------- */

typedef struct map_windows {
    const pixel_share *share;
    int64_t begin, count; /* the present window */
    armilla_span *cut;    /* the pixels of this rank that are in it, numbered from its begin */
    int64_t ncut, next;   /* next: the first span that is not wholly before the window */
    double *buffer;
    const char *path;
} map_windows;

static int begin_windows(const pixel_share *share, int64_t room, const char *path,
                         map_windows *self)
{
    *self = (map_windows){.share = share, .path = path};
    self->cut = malloc((size_t)(share->nspans + 1) * sizeof *self->cut);
    self->buffer = malloc((size_t)(room + 1) * sizeof *self->buffer);
    return ranks_agree(self->cut && self->buffer ? CLI_OK : memory_error());
}

static void end_windows(map_windows *self)
{
    free(self->cut);
    free(self->buffer);
}

/* The window begin .. begin + count - 1; windows come in their sequence. */
static void look_at(map_windows *self, int64_t begin, int64_t count)
{
    const armilla_span *spans = self->share->spans;
    const int64_t end = begin + count, nspans = self->share->nspans;
    self->begin = begin, self->count = count, self->ncut = 0;
    while (self->next < nspans && spans[self->next].begin + spans[self->next].count <= begin)
        self->next++;
    for (int64_t i = self->next; i < nspans && spans[i].begin < end; i++) {
        const int64_t from = spans[i].begin > begin ? spans[i].begin : begin;
        const int64_t to = smaller(spans[i].begin + spans[i].count, end);
        self->cut[self->ncut++] =
            (armilla_span){from - begin, to - from, spans[i].place + from - spans[i].begin};
    }
}

static int read_window(map_windows *self, int64_t nfields, double *const *values,
                       windows_read_fn read, void *data)
{
    const armilla_transport *ranks = ranks_transport();
    const int64_t first = self->count * ranks->rank / ranks->nranks;
    const int64_t count = self->count * (ranks->rank + 1) / ranks->nranks - first;
    const armilla_span mine = {first, count, 0};
    armilla_redistribution *move = NULL;
    armilla_status status =
        armilla_redistribution_new(ranks, 1, &mine, self->ncut, self->cut, NULL, &move);
    if (status) return data_error(status, self->path);
    int code = CLI_OK;
    for (int64_t field = 0; field < nfields && code == CLI_OK; field++) {
        status = count ? read(data, field, self->begin + first, count, self->buffer) : ARMILLA_OK;
        code = ranks_agree(status ? data_error(status, self->path) : CLI_OK);
        if (code != CLI_OK) break;
        status = armilla_redistribution_run(move, sizeof *self->buffer, 1, self->buffer, 0,
                                            values[field], 0);
        if (status) code = data_error(status, self->path);
    }
    armilla_redistribution_free(move);
    return code;
}

int windows_read(const pixel_share *share, int64_t nfields, double *const *values, const char *path,
                 windows_read_fn read, void *data)
{
    map_windows self;
    const int64_t nranks = ranks_transport()->nranks;
    const int64_t part = clamp(share->all / nranks / READ_PARTS), size = part * nranks;
    int code = begin_windows(share, part, path, &self);
    for (int64_t begin = 0; begin < share->all && code == CLI_OK; begin += size) {
        look_at(&self, begin, smaller(share->all - begin, size));
        code = read_window(&self, nfields, values, read, data);
    }
    end_windows(&self);
    return code;
}

static int write_window(map_windows *self, int64_t nfields, double *const *values,
                        windows_write_fn write, void *data)
{
    const armilla_transport *ranks = ranks_transport();
    const armilla_span wanted = {0, self->count, 0};
    const int64_t nwanted = ranks_is_first();
    armilla_redistribution *move = NULL;
    armilla_status status =
        armilla_redistribution_new(ranks, self->ncut, self->cut, nwanted, &wanted, NULL, &move);
    if (status) return data_error(status, self->path);
    int code = CLI_OK;
    for (int64_t field = 0; field < nfields && code == CLI_OK; field++) {
        status = armilla_redistribution_run(move, sizeof *self->buffer, 1, values[field], 0,
                                            self->buffer, 0);
        if (!status && nwanted) status = write(data, field, self->begin, self->count, self->buffer);
        code = ranks_agree(status ? data_error(status, self->path) : CLI_OK);
    }
    armilla_redistribution_free(move);
    return code;
}

int windows_write(const pixel_share *share, int64_t nfields, double *const *values,
                  const char *path, windows_write_fn write, void *data)
{
    map_windows self;
    const int64_t size = clamp(share->all / WRITE_PARTS);
    int code = begin_windows(share, ranks_is_first() ? size : 0, path, &self);
    for (int64_t begin = 0; begin < share->all && code == CLI_OK; begin += size) {
        look_at(&self, begin, smaller(share->all - begin, size));
        code = write_window(&self, nfields, values, write, data);
    }
    end_windows(&self);
    return code;
}

/* --- Coefficients ----------------------------------------------------------------------------- */

typedef struct alm_windows {
    const armilla_distribution *distribution;
    int64_t rank, lmax, mmax, size; /* size: coefficients of this rank, one component */
    int64_t norders, *orders;
    int64_t first, last, count; /* degrees of the present window, and its coefficients */
    armilla_span *mine;         /* those of this rank: one span an order */
    int64_t nmine;
    double *buffer;
} alm_windows;

/* Degrees from `first` on with about `size` coefficients, at least one degree. */
static void choose_degrees(alm_windows *self, int64_t first, int64_t size)
{
    self->first = self->last = first;
    self->count = smaller(first, self->mmax) + 1;
    while (self->last < self->lmax) {
        const int64_t more = smaller(self->last + 1, self->mmax) + 1;
        if (self->count + more > size) return;
        self->count += more, self->last++;
    }
}

/* Numbers of the window: order by order, as armilla_alm_output_write takes them. */
static void list_rows(alm_windows *self)
{
    int64_t number = 0, next = 0;
    self->nmine = 0;
    for (int64_t m = 0; m <= smaller(self->mmax, self->last); m++) {
        const int64_t low = m > self->first ? m : self->first, count = self->last - low + 1;
        if (next < self->norders && self->orders[next] == m) {
            const int64_t place =
                armilla_distribution_alm_index(self->distribution, self->rank, low, m);
            self->mine[self->nmine++] = (armilla_span){number, count, place};
            next++;
        }
        number += count;
    }
}

static int begin_alm(const armilla_distribution *distribution, const armilla_alm_file *file,
                     int64_t room, alm_windows *self)
{
    const int64_t rank = ranks_transport()->rank;
    *self = (alm_windows){.distribution = distribution,
                          .rank = rank,
                          .lmax = file->lmax,
                          .mmax = file->mmax,
                          .size = armilla_distribution_alm_size(distribution, rank),
                          .norders = armilla_distribution_orders(distribution, rank, NULL)};
    self->orders = malloc((size_t)(self->norders + 1) * sizeof *self->orders);
    self->mine = malloc((size_t)(self->norders + 1) * sizeof *self->mine);
    self->buffer = malloc((size_t)(room + 1) * 2 * sizeof *self->buffer);
    if (!self->orders || !self->mine || !self->buffer) return ranks_agree(memory_error());
    armilla_distribution_orders(distribution, rank, self->orders);
    return ranks_agree(CLI_OK);
}

static void end_alm(alm_windows *self)
{
    free(self->orders);
    free(self->mine);
    free(self->buffer);
}

static int write_degrees(alm_windows *self, int64_t ncomp, const double *alm, const char *path,
                         windows_write_alm_fn write, void *data)
{
    const armilla_span wanted = {0, self->count, 0};
    const int64_t nwanted = ranks_is_first();
    armilla_redistribution *move = NULL;
    armilla_status status = armilla_redistribution_new(ranks_transport(), self->nmine, self->mine,
                                                       nwanted, &wanted, NULL, &move);
    if (status) return data_error(status, path);
    int code = CLI_OK;
    for (int64_t i = 0; i < ncomp && code == CLI_OK; i++) {
        status = armilla_redistribution_run(move, 2 * sizeof *alm, 1, alm + 2 * i * self->size, 0,
                                            self->buffer, 0);
        if (!status && nwanted) status = write(data, i, self->first, self->last, self->buffer);
        code = ranks_agree(status ? data_error(status, path) : CLI_OK);
    }
    armilla_redistribution_free(move);
    return code;
}

int windows_write_alm(const armilla_distribution *distribution, const armilla_alm_file *file,
                      const double *alm, const char *path, windows_write_alm_fn write, void *data)
{
    alm_windows self;
    const int64_t size = clamp(armilla_alm_size(file->lmax, file->mmax) / WRITE_PARTS);
    const int64_t most = size > file->mmax + 1 ? size : file->mmax + 1;
    int code = begin_alm(distribution, file, ranks_is_first() ? most : 0, &self);
    for (int64_t first = 0; first <= file->lmax && code == CLI_OK; first = self.last + 1) {
        choose_degrees(&self, first, size);
        list_rows(&self);
        code = write_degrees(&self, file->ncomp, alm, path, write, data);
    }
    end_alm(&self);
    return code;
}
