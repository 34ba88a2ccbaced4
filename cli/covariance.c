/* Gaussian covariances of powers without a mask: products of masks are transformed, spectra of the
 * maps or of a file are made what the masks leave of them, and the library does the rest. See
 * covariance.h. */
#include "covariance.h"

#include "message.h"
#include "progress.h"
#include "ranks.h"
#include "spectra.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Components of a map, fields of both, their masks, and products of two of them. */
enum {
    PARTS = 3,
    MOST_FIELDS = COVARIANCE_MAPS * COVARIANCE_FIELDS,
    MOST_COMPONENTS = COVARIANCE_MAPS * PARTS,
    MOST_PRODUCTS = MOST_FIELDS * (MOST_FIELDS + 1) / 2,
    MOST_BLOCKS = COVARIANCE_PAIRS * (COVARIANCE_PAIRS + 1) / 2,
    MOST_MASKS = 2 * MOST_BLOCKS
};

const covariance_pair covariance_pairs[COVARIANCE_PAIRS] = {
    {{0, 0}, {0, 0}, 1, {{0, 0}}, {0}},
    {{0, 1}, {0, 2}, 2, {{0, 1}, {0, 2}}, {3, 4}},
    {{1, 1}, {2, 2}, 4, {{1, 1}, {1, 2}, {2, 1}, {2, 2}}, {1, 5, -1, 2}}};

/* A call. Fields are those of the first map, then those of the second. */
typedef struct {
    const covariance_given *given;
    int64_t nfields, ncomp, npairs, nblocks; /* of all maps; of pairs of fields */
    int64_t mask_of[MOST_FIELDS];            /* fields of the same mask have one number */
    double *product[MOST_PRODUCTS];          /* coefficients of products of masks; NULL: not made */
    double mean[MOST_PRODUCTS];              /* over the sphere */
    int64_t nmasks, products[MOST_MASKS][2]; /* of a pair of masks: which products */
    double *masks, *cl;                      /* [nmasks][lmask + 1], [ncomp][ncomp][lmax + 1] */
    armilla_gaussian_block blocks[MOST_BLOCKS];
} work;

static int64_t fields_of_map(const work *w)
{
    return w->given->maps->nfields > 1 ? COVARIANCE_FIELDS : 1;
}

static int64_t parts_of_map(const work *w)
{
    return w->given->maps->nfields > 1 ? PARTS : 1;
}

static int64_t product_number(int64_t a, int64_t b)
{
    const int64_t low = a < b ? a : b, high = a < b ? b : a;
    return high * (high + 1) / 2 + low;
}

/* The product of the masks of two fields. */
static int64_t product_of(const work *w, int64_t one, int64_t two)
{
    return product_number(w->mask_of[one], w->mask_of[two]);
}

/* --- Masks -------------------------------------------------------------------------------------
 */

void covariance_mask(const sky *map, int64_t field, reals mask)
{
    const int is_masked = reals_are_there(map->weights);
    for (int64_t i = 0; i < map->npix; i++)
        reals_set(mask, i, map->missing[field][i] ? 0 : is_masked ? reals_get(map->weights, i) : 1);
}

static void fill_mask(const work *w, int64_t field, reals mask)
{
    const int64_t n = fields_of_map(w);
    covariance_mask(&w->given->maps[field / n], field % n, mask);
}

static int is_same(const work *w, reals one, reals two)
{
    for (int64_t i = 0; i < w->given->maps->npix; i++)
        if (reals_get(one, i) != reals_get(two, i)) return 0;
    return 1;
}

/* Finds fields with the same mask, on all ranks. one, two: room for a map. */
static void compare_masks(work *w, reals one, reals two)
{
    for (int64_t field = 0; field < w->nfields; field++) {
        w->mask_of[field] = field;
        fill_mask(w, field, one);
        for (int64_t other = 0; other < field && w->mask_of[field] == field; other++) {
            fill_mask(w, other, two);
            if (!ranks_any(!is_same(w, one, two))) w->mask_of[field] = w->mask_of[other];
        }
    }
}

static int transform_product(work *w, int64_t a, int64_t b, reals one, reals two)
{
    double **alm = &w->product[product_number(a, b)];
    fill_mask(w, a, one);
    fill_mask(w, b, two);
    for (int64_t i = 0; i < w->given->maps->npix; i++)
        reals_set(one, i, reals_get(one, i) * reals_get(two, i));
    if (!(*alm = transform_alm(w->given->of_masks))) return CLI_FAILED;
    return transform_analysis(w->given->of_masks, w->given->analysis, &one, *alm);
}

static int make_products(work *w)
{
    const int64_t npix = w->given->maps->npix;
    const int single = w->given->of_masks->single;
    const reals one = reals_new(single, npix), two = reals_new(single, npix);
    const int is_there = reals_are_there(one) && reals_are_there(two);
    int code = ranks_agree(is_there ? CLI_OK : memory_error());
    if (code == CLI_OK) compare_masks(w, one, two);
    for (int64_t b = 0; b < w->nfields && code == CLI_OK; b++)
        for (int64_t a = 0; a <= b && code == CLI_OK; a++) {
            if (w->mask_of[a] != a || w->mask_of[b] != b) continue;
            const double done = (double)product_number(a, b), all = MOST_PRODUCTS;
            progress_stage("products of masks", done / all, (done + 1) / all);
            code = transform_product(w, a, b, one, two);
        }
    reals_free(one);
    reals_free(two);
    return code;
}

/* The degree 0 of the spectrum of a product with itself has the square of its mean. */
static int find_means(work *w)
{
    double *row = malloc((size_t)(w->given->of_masks->lmax + 1) * sizeof *row);
    int code = ranks_agree(row ? CLI_OK : memory_error());
    for (int i = 0; i < MOST_PRODUCTS && code == CLI_OK; i++) {
        if (!w->product[i]) continue;
        code = transform_spectrum(w->given->of_masks, w->product[i], w->product[i], row);
        if (code == CLI_OK) w->mean[i] = sqrt(row[0] / (4 * acos(-1)));
    }
    free(row);
    return code;
}

/* --- Blocks ------------------------------------------------------------------------------------
 */

/* Field of the first, or of the second map, in a pair. */
static int64_t field_of(const work *w, int64_t pair, int which)
{
    const int64_t map = which ? w->given->nmaps - 1 : 0;
    return map * fields_of_map(w) + covariance_pairs[pair].field[which];
}

/* The spectrum of two products, which is made once. */
static int cross_products(work *w, int64_t one, int64_t two, int64_t *number)
{
    const int64_t low = one < two ? one : two, high = one < two ? two : one;
    for (*number = 0; *number < w->nmasks; ++*number)
        if (w->products[*number][0] == low && w->products[*number][1] == high) return CLI_OK;
    double *row = w->masks + w->nmasks * (w->given->of_masks->lmax + 1);
    w->products[w->nmasks][0] = low, w->products[w->nmasks++][1] = high;
    return transform_spectrum(w->given->of_masks, w->product[low], w->product[high], row);
}

static int list_blocks(work *w)
{
    int code = CLI_OK;
    w->masks = malloc((size_t)(MOST_MASKS * (w->given->of_masks->lmax + 1)) * sizeof *w->masks);
    code = ranks_agree(w->masks ? CLI_OK : memory_error());
    for (int64_t j = 0; j < w->npairs && code == CLI_OK; j++)
        for (int64_t i = 0; i <= j && code == CLI_OK; i++) {
            armilla_gaussian_block *block = &w->blocks[w->nblocks++];
            const int64_t a = field_of(w, i, 0), b = field_of(w, i, 1);
            const int64_t c = field_of(w, j, 0), d = field_of(w, j, 1);
            block->pair1 = i, block->pair2 = j;
            code = cross_products(w, product_of(w, a, c), product_of(w, b, d), &block->mask1);
            if (code == CLI_OK)
                code = cross_products(w, product_of(w, a, d), product_of(w, b, c), &block->mask2);
        }
    return code;
}

/* --- Spectra -----------------------------------------------------------------------------------
 */

static double *row_of(const work *w, int64_t i, int64_t j)
{
    return w->cl + (i * w->ncomp + j) * (w->given->sht->lmax + 1);
}

static int64_t field_of_component(const work *w, int64_t component)
{
    const int64_t parts = parts_of_map(w);
    return component / parts * fields_of_map(w) + (component % parts > 0);
}

static const double *alm_of(const work *w, int64_t component)
{
    const int64_t parts = parts_of_map(w);
    return w->given->alm[component / parts] + 2 * (component % parts) * w->given->sht->alm_size;
}

/* Pseudo-spectra of the maps, running means over degrees. */
static int measure(work *w)
{
    const transform *sht = w->given->sht;
    double *row = malloc((size_t)(sht->lmax + 1) * sizeof *row);
    int code = ranks_agree(row ? CLI_OK : memory_error());
    for (int64_t i = 0; i < w->ncomp * w->ncomp && code == CLI_OK; i++) {
        const int64_t one = i / w->ncomp, two = i % w->ncomp, parts = parts_of_map(w);
        if (one > two) continue;
        code = transform_spectrum(sht, alm_of(w, one), alm_of(w, two), row);
        const int64_t least = one % parts || two % parts ? 2 : 0;
        if (code == CLI_OK && least <= sht->lmax) {
            const armilla_status status =
                armilla_gaussian_smooth(sht->lmax, least, 1, row, row_of(w, one, two));
            code = status ? data_error(status, NULL) : CLI_OK;
        }
    }
    free(row);
    return code;
}

/* Spectra of a file, on each rank. */
static int read_spectra(work *w, spectra *file)
{
    const int64_t n = w->given->sht->lmax + 1;
    int code = w->ncomp > 1 ? spectra_read_polarised(w->given->cl, file)
                            : spectra_read(w->given->cl, "--cl", NULL, file);
    if (code == CLI_OK && file->lmax + 1 < n)
        code = work_error("\"%s\": ends at l = %lld; --cl must reach lmax = %lld", w->given->cl,
                          (long long)file->lmax, (long long)n - 1);
    for (int i = 0; i < (w->ncomp > 1 ? SPECTRA_MAX : 1) && code == CLI_OK; i++)
        if (file->values[i])
            memcpy(row_of(w, spectra_fields[i][0], spectra_fields[i][1]), file->values[i],
                   (size_t)n * sizeof *w->cl);
    return code;
}

armilla_status covariance_coupling(const transform *sht, const transform *of_masks, int64_t pair,
                                   const double *mask, armilla_coupling **coupling)
{
    armilla_coupling_options options;
    armilla_coupling_options_init(&options);
    options.spin1 = covariance_pairs[pair].spin[0], options.spin2 = covariance_pairs[pair].spin[1];
    return armilla_coupling_new(sht->lmax, of_masks->lmax, 1, mask, &options, coupling);
}

/* What the masks leave of the spectra of a pair of fields, of one map. Not collective. */
static armilla_status couple(work *w, int64_t pair, const double *mask, double *cl, double *coupled)
{
    const covariance_pair *p = &covariance_pairs[pair];
    const int64_t n = w->given->sht->lmax + 1;
    armilla_coupling *coupling = NULL;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = w->given->sht->nthreads;
    for (int64_t i = 0; i < p->nspectra; i++) {
        const int *of = p->parts[i];
        memcpy(cl + i * n, of[0] <= of[1] ? row_of(w, of[0], of[1]) : row_of(w, of[1], of[0]),
               (size_t)n * sizeof *cl);
    }
    armilla_status status =
        covariance_coupling(w->given->sht, w->given->of_masks, pair, mask, &coupling);
    if (!status) status = armilla_coupling_apply(coupling, cl, coupled, &exec);
    armilla_coupling_free(coupling);
    for (int64_t i = 0; i < p->nspectra && !status; i++)
        if (p->parts[i][0] <= p->parts[i][1])
            memcpy(row_of(w, p->parts[i][0], p->parts[i][1]), coupled + i * n,
                   (size_t)n * sizeof *cl);
    return status;
}

static int couple_all(work *w)
{
    const int64_t n = w->given->sht->lmax + 1;
    double *room = malloc((size_t)(8 * n + w->given->of_masks->lmax + 1) * sizeof *room);
    int code = ranks_agree(room ? CLI_OK : memory_error());
    for (int64_t i = 0; i < w->npairs && code == CLI_OK; i++) {
        double *const *alm = w->given->mask_alm;
        code = transform_spectrum(w->given->of_masks, alm[covariance_pairs[i].field[0]],
                                  alm[covariance_pairs[i].field[1]], room + 8 * n);
        if (code != CLI_OK) break;
        const armilla_status status = couple(w, i, room + 8 * n, room, room + 4 * n);
        code = ranks_agree(status ? data_error(status, NULL) : CLI_OK);
    }
    free(room);
    return code;
}

/* Mean pseudo-spectra, divided by the mean of the product of their masks. */
static int make_spectra(work *w)
{
    const int64_t n = w->given->sht->lmax + 1;
    spectra file = {.file = NULL};
    w->cl = calloc((size_t)(w->ncomp * w->ncomp * n), sizeof *w->cl);
    int code = ranks_agree(w->cl ? CLI_OK : memory_error());
    if (code == CLI_OK && w->given->cl) code = ranks_agree(read_spectra(w, &file));
    if (code == CLI_OK) code = w->given->cl ? couple_all(w) : measure(w);
    spectra_free(&file);
    for (int64_t i = 0; i < w->ncomp * w->ncomp * n && code == CLI_OK; i++) {
        const int64_t one = i / n / w->ncomp, two = i / n % w->ncomp;
        const double mean =
            w->mean[product_of(w, field_of_component(w, one), field_of_component(w, two))];
        w->cl[i] = mean > 0 ? w->cl[i] / mean : 0;
    }
    return code;
}

/* --- The matrix --------------------------------------------------------------------------------
 */

/* Elements of a block to their places in the matrix, and to those on the other side of its
 * diagonal. */
static void place_block(const work *w, const armilla_gaussian_block *block, const double *own,
                        double *cov)
{
    const covariance_pair *one = &covariance_pairs[block->pair1];
    const covariance_pair *two = &covariance_pairs[block->pair2];
    const int64_t nbands = w->given->bands->nbands;
    const int64_t n = (w->npairs > 1 ? SPECTRA_MAX : 1) * nbands;
    for (int64_t i = 0; i < one->nspectra * nbands * two->nspectra * nbands; i++) {
        const int64_t other = i % nbands, to = two->column[i / nbands % two->nspectra];
        const int64_t row = i / nbands / two->nspectra;
        const int64_t from = one->column[row / nbands];
        if (from < 0 || to < 0) continue;
        const int64_t first = from * nbands + row % nbands, second = to * nbands + other;
        cov[first * n + second] = cov[second * n + first] = own[i];
    }
}

/* Not collective. */
static armilla_status solve(const work *w, double *blocks, double *cov)
{
    static const int64_t spins[MOST_FIELDS] = {0, 2, 0, 2}, scalars[MOST_FIELDS] = {0};
    const int64_t nbands = w->given->bands->nbands;
    armilla_gaussian_pair pairs[COVARIANCE_PAIRS];
    armilla_gaussian_problem problem;
    armilla_exec exec;
    armilla_gaussian_problem_init(&problem);
    armilla_exec_init(&exec);
    exec.nthreads = w->given->sht->nthreads;
    for (int64_t i = 0; i < w->npairs; i++)
        pairs[i] = (armilla_gaussian_pair){.field1 = field_of(w, i, 0),
                                           .field2 = field_of(w, i, 1),
                                           .matrix = w->given->matrices[i]};
    problem.lmax = w->given->sht->lmax, problem.lmask = w->given->of_masks->lmax;
    problem.nmasks = w->nmasks, problem.masks = w->masks;
    problem.nfields = w->nfields, problem.spins = w->npairs > 1 ? spins : scalars;
    problem.cl = w->cl, problem.bands = w->given->bands;
    problem.npairs = w->npairs, problem.pairs = pairs;
    problem.nblocks = w->nblocks, problem.blocks = w->blocks;
    const armilla_status status = armilla_gaussian_covariance(&problem, blocks, &exec);
    for (int64_t i = 0; i < w->nblocks && !status; i++) {
        const armilla_gaussian_block *block = &w->blocks[i];
        place_block(w, block, blocks, cov);
        blocks += covariance_pairs[block->pair1].nspectra *
                  covariance_pairs[block->pair2].nspectra * nbands * nbands;
    }
    return status;
}

static int make_matrix(const work *w, double **cov)
{
    const int64_t nbands = w->given->bands->nbands;
    const int64_t n = (w->npairs > 1 ? SPECTRA_MAX : 1) * nbands;
    const int64_t all = (w->npairs > 1 ? 1 + 2 + 4 + 4 + 8 + 16 : 1) * nbands * nbands;
    double *blocks = malloc((size_t)all * sizeof *blocks);
    *cov = malloc((size_t)(n * n) * sizeof **cov);
    int code = ranks_agree(blocks && *cov ? CLI_OK : memory_error());
    if (code == CLI_OK) {
        const armilla_status status = solve(w, blocks, *cov);
        code = ranks_agree(status ? data_error(status, NULL) : CLI_OK);
    }
    free(blocks);
    return code;
}

int covariance_compute(const covariance_given *given, double **cov)
{
    work w = {.given = given, .npairs = given->maps->nfields > 1 ? COVARIANCE_PAIRS : 1};
    w.nfields = given->nmaps * fields_of_map(&w), w.ncomp = given->nmaps * parts_of_map(&w);
    *cov = NULL;
    int code = make_products(&w);
    if (code == CLI_OK) code = find_means(&w);
    if (code == CLI_OK) code = list_blocks(&w);
    if (code == CLI_OK) code = make_spectra(&w);
    if (code == CLI_OK) code = make_matrix(&w, cov);
    for (int i = 0; i < MOST_PRODUCTS; i++) free(w.product[i]);
    free(w.masks);
    free(w.cl);
    return code;
}

armilla_cl_file *covariance_table(int64_t nspectra, int64_t nbands, const double *cov)
{
    armilla_cl_file *made;
    const int64_t n = nspectra * nbands;
    const armilla_status status = armilla_cl_file_new(n - 1, n, &made);
    if (status) {
        data_error(status, NULL);
        return NULL;
    }
    for (int64_t i = 0; i < n; i++)
        snprintf(made->names[i], sizeof *made->names, "%s_%lld", spectra_names[i / nbands],
                 (long long)(i % nbands) + 1);
    memcpy(made->cl, cov, (size_t)(n * n) * sizeof *cov);
    return made;
}
