/* How a length is transformed (docs/mathematics.md 4):
 *
 *     prime factors 2, 3, 5, 7,
 *     and 11 or 13 once              one row (rows.h)
 *     smooth r times rough q         prime factor algorithm: rows for r; for q in lanes direct sums
 *                                    or Bluestein, else Bluestein with rows
 *
 * A set plans each smooth length once, whether it is wanted itself, as a factor or for a
 * convolution, and has one table for each rough factor. */
#include "fft/fft.h"
#include "base/memory.h"
#include "fft/bluestein.h"
#include "fft/choose.h"
#include "fft/convolution.h"
#include "fft/dispatch.h"
#include "fft/prime_factor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct armilla_fft {
    int64_t n;
    int64_t uses;               /* how often the set was asked for it */
    int planned;                /* 0: it counts in choices alone */
    int64_t rough;              /* not planned: the rough factor that would have tables */
    const armilla_rows *smooth; /* of length n; NULL: n has factors */
    armilla_prime_factor factors;
    armilla_fft_set *owner; /* made by armilla_fft_new: the set to free; else NULL */
};

struct armilla_fft_set {
    armilla_isa isa;
    const armilla_rough_kernels *kernels;
    const armilla_rows_way *way; /* of smooth lengths */
    int lanes;                   /* use them wherever possible */
    int counts;                  /* it only tells sizes: members have lengths and no tables */
    int64_t scratch;             /* of the member that needs most */
    int64_t nffts, nbatches, nbluesteins, nroughs, nconvolutions;
    int64_t rough_room;    /* of bluesteins, roughs and convolutions */
    armilla_fft *ffts;     /* ascending n */
    armilla_rows *batches; /* room for two for each length */
    armilla_bluestein *bluesteins;
    armilla_rough *roughs;
    armilla_convolution *convolutions;
    double *work; /* of rough lengths, while they are planned */
    int64_t work_size;
};

static const int64_t LENGTH_LIMIT = (int64_t)1 << 30;

static armilla_status find_batch(armilla_fft_set *set, int64_t n, int64_t rows,
                                 const armilla_rows **batch)
{
    int64_t i = 0;
    while (i < set->nbatches && (set->batches[i].n != n || set->batches[i].rows != rows)) i++;
    if (i == set->nbatches) {
        armilla_rows *made = &set->batches[i];
        armilla_status status = ARMILLA_OK;
        if (set->counts)
            armilla_rows_shape(set->isa, n, rows, made);
        else
            status = armilla_rows_make(set->isa, n, rows, made);
        if (status) return status;
        set->nbatches++;
    }
    *batch = &set->batches[i];
    return ARMILLA_OK;
}

static armilla_status find_bluestein(armilla_fft_set *set, int64_t n,
                                     const armilla_bluestein **bluestein)
{
    int64_t i = 0;
    while (i < set->nbluesteins && set->bluesteins[i].n != n) i++;
    if (i == set->nbluesteins) {
        const armilla_rows *batch = NULL;
        int64_t padded = armilla_bluestein_padded(n);
        armilla_status status =
            find_batch(set, padded, set->way->together(set->isa, padded), &batch);
        set->bluesteins[i] = (armilla_bluestein){.n = n, .batch = batch};
        if (!status && !set->counts) status = armilla_bluestein_make(n, batch, &set->bluesteins[i]);
        if (status) return status;
        set->nbluesteins++;
    }
    *bluestein = &set->bluesteins[i];
    return ARMILLA_OK;
}

static armilla_status find_convolution(armilla_fft_set *set, int64_t n,
                                       const armilla_convolution **convolution)
{
    int64_t i = 0;
    while (i < set->nconvolutions && set->convolutions[i].n != n) i++;
    if (i == set->nconvolutions) {
        armilla_status status = armilla_convolution_make(n, 1, &set->convolutions[i]);
        if (status) return status;
        set->nconvolutions++;
    }
    *convolution = &set->convolutions[i];
    return ARMILLA_OK;
}

/* One array for all rough lengths: the system takes long to give them one each. */
static armilla_status make_work(armilla_fft_set *set, int64_t size)
{
    if (size <= set->work_size) return ARMILLA_OK;
    armilla_release(set->work);
    set->work_size = 0;
    const armilla_status status = armilla_allocate(&set->work, 2 * size, sizeof *set->work);
    if (!status) set->work_size = size;
    return status;
}

static armilla_status find_rough(armilla_fft_set *set, int64_t q, const armilla_rough **rough)
{
    int64_t i = 0;
    while (i < set->nroughs && set->roughs[i].q != q) i++;
    if (i == set->nroughs) {
        const armilla_convolution *convolution = NULL;
        int64_t n = armilla_fft_choose_convolution(q);
        armilla_status status = n ? find_convolution(set, n, &convolution) : ARMILLA_OK;
        set->roughs[i] = (armilla_rough){.q = q, .convolution = convolution};
        if (!status && !set->counts) status = make_work(set, armilla_rough_work(q, convolution));
        if (!status && !set->counts)
            status = armilla_rough_make(q, convolution, set->kernels, set->work, &set->roughs[i]);
        if (status) return status;
        set->nroughs++;
    }
    *rough = &set->roughs[i];
    return ARMILLA_OK;
}

static int has_rough(const armilla_fft_set *set, int64_t q)
{
    for (int64_t i = 0; i < set->nroughs; i++)
        if (set->roughs[i].q == q) return 1;
    for (int64_t i = 0; i < set->nffts; i++)
        if (set->ffts[i].rough == q) return 1;
    return 0;
}

static int goes_in_lanes(const armilla_fft_set *set, int64_t smooth, int64_t rough)
{
    return set->lanes && armilla_fft_choose_lanes(smooth, rough, has_rough(set, rough));
}

static armilla_status plan_factors(armilla_fft_set *set, int64_t smooth, int64_t rough,
                                   armilla_prime_factor *factors)
{
    armilla_status status =
        find_batch(set, smooth, set->way->together(set->isa, smooth), &factors->smooth);
    factors->kernels = set->kernels;
    if (status) return status;
    if (goes_in_lanes(set, smooth, rough)) return find_rough(set, rough, &factors->rough);
    return find_bluestein(set, rough, &factors->bluestein);
}

static armilla_status plan_length(armilla_fft_set *set, armilla_fft *fft)
{
    const armilla_fft_question question = {fft->n, fft->uses, set->lanes, set->way->plans_slowly};
    const int64_t factor = armilla_fft_choose_factor(&question);
    if (!fft->planned) {
        if (factor > 1 && goes_in_lanes(set, fft->n / factor, factor)) fft->rough = factor;
        return ARMILLA_OK;
    }
    if (factor == 1) return find_batch(set, fft->n, 1, &fft->smooth);
    return plan_factors(set, fft->n / factor, factor, &fft->factors);
}

/* From the longest to the shortest, so that a rough length finds the tables of its multiples. */
static armilla_status plan_lengths(armilla_fft_set *set)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = set->nffts - 1; i >= 0 && !status; i--) {
        status = plan_length(set, &set->ffts[i]);
        const int is_there = !status && set->ffts[i].planned;
        int64_t scratch = is_there ? armilla_fft_scratch_size(&set->ffts[i]) : 0;
        if (scratch > set->scratch) set->scratch = scratch;
    }
    armilla_release(set->work);
    set->work = NULL, set->work_size = 0;
    return status;
}

static int compare_lengths(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts, and keeps one of each. Returned: how many. */
static int64_t sort_distinct(int64_t n, int64_t *lengths)
{
    int64_t count = 0;
    if (n > 0) qsort(lengths, (size_t)n, sizeof *lengths, compare_lengths);
    for (int64_t i = 0; i < n; i++)
        if (count == 0 || lengths[i] != lengths[count - 1]) lengths[count++] = lengths[i];
    return count;
}

static armilla_status allocate_set(armilla_fft_set *set)
{
    const int64_t n = set->nffts, room = set->rough_room;
    armilla_status status = armilla_allocate_zero(&set->ffts, n, sizeof *set->ffts);
    if (!status) status = armilla_allocate_zero(&set->batches, 2 * n, sizeof *set->batches);
    if (!status) status = armilla_allocate_zero(&set->bluesteins, room, sizeof *set->bluesteins);
    if (!status) status = armilla_allocate_zero(&set->roughs, room, sizeof *set->roughs);
    if (!status)
        status = armilla_allocate_zero(&set->convolutions, room, sizeof *set->convolutions);
    return status;
}

/* How many of the sorted lengths are n. */
static int64_t count_uses(int64_t nlengths, const int64_t *sorted, int64_t n)
{
    int64_t low = 0, high = nlengths, count = 0;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (sorted[middle] < n)
            low = middle + 1;
        else
            high = middle;
    }
    while (low + count < nlengths && sorted[low + count] == n) count++;
    return count;
}

/* Marks the lengths that will be asked for. some: room for n numbers. */
static void mark_planned(armilla_fft_set *set, int64_t n, const int64_t *lengths,
                         const unsigned char *planned, int64_t *some)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (!planned || planned[i]) some[count++] = lengths[i];
    if (count > 0) qsort(some, (size_t)count, sizeof *some, compare_lengths);
    for (int64_t i = 0; i < set->nffts; i++)
        set->ffts[i].planned = count_uses(count, some, set->ffts[i].n) > 0;
}

/* numbers: n lengths, and room for twice as many, overwritten. */
static armilla_status fill_set(armilla_fft_set *set, int64_t n, const unsigned char *planned,
                               const int64_t *lengths, int64_t *numbers)
{
    for (int64_t i = 0; i < n; i++)
        if (numbers[i] < 1 || numbers[i] > LENGTH_LIMIT)
            return armilla_fail_argument("fft length", numbers[i], "must be 1 to 2^30");
    int64_t *rough = numbers + n, *sorted = rough + n;
    memcpy(sorted, numbers, (size_t)n * sizeof *sorted);
    if (n > 0) qsort(sorted, (size_t)n, sizeof *sorted, compare_lengths);
    set->nffts = sort_distinct(n, numbers);
    for (int64_t i = 0; i < set->nffts; i++) rough[i] = armilla_fft_rough_factor(numbers[i]);
    set->rough_room = sort_distinct(set->nffts, rough) + 8; /* 3, 9, 27, 81, 5, 25, 7, 49 */
    armilla_status status = allocate_set(set);
    for (int64_t i = 0; i < set->nffts && !status; i++) {
        set->ffts[i].n = numbers[i];
        set->ffts[i].uses = count_uses(n, sorted, numbers[i]);
    }
    if (status) return status;
    mark_planned(set, n, lengths, planned, rough);
    return plan_lengths(set);
}

/* planned: NULL: all are. */
static armilla_status make_set(armilla_fft_set kind, int64_t nlengths, const int64_t *lengths,
                               const unsigned char *planned, armilla_fft_set **set)
{
    armilla_fft_set *made = NULL;
    int64_t *numbers = NULL;
    armilla_status status = armilla_allocate(&made, 1, sizeof *made);
    if (status) return status;
    *made = kind;
    made->kernels = armilla_rough_kernels_find(kind.isa);
    made->way = armilla_rows_way_find();
    status = armilla_allocate(&numbers, 3 * nlengths, sizeof *numbers);
    if (!status && nlengths > 0) memcpy(numbers, lengths, (size_t)nlengths * sizeof *numbers);
    if (!status) status = fill_set(made, nlengths, planned, lengths, numbers);
    armilla_release(numbers);
    if (status)
        armilla_fft_set_free(made);
    else
        *set = made;
    return status;
}

armilla_status armilla_fft_set_new(armilla_isa isa, int64_t nlengths, const int64_t *lengths,
                                   armilla_fft_set **set)
{
    return armilla_fft_set_new_some(isa, nlengths, lengths, NULL, set);
}

armilla_status armilla_fft_set_new_some(armilla_isa isa, int64_t nlengths, const int64_t *lengths,
                                        const unsigned char *planned, armilla_fft_set **set)
{
    return make_set((armilla_fft_set){.isa = isa, .lanes = 1}, nlengths, lengths, planned, set);
}

armilla_status armilla_fft_set_count(armilla_isa isa, int64_t nlengths, const int64_t *lengths,
                                     armilla_fft_set **set)
{
    return make_set((armilla_fft_set){.isa = isa, .lanes = 1, .counts = 1}, nlengths, lengths, NULL,
                    set);
}

void armilla_fft_set_free(armilla_fft_set *set)
{
    if (!set) return;
    for (int64_t i = 0; i < set->nbatches; i++) armilla_rows_clear(&set->batches[i]);
    for (int64_t i = 0; i < set->nbluesteins; i++) armilla_bluestein_clear(&set->bluesteins[i]);
    for (int64_t i = 0; i < set->nroughs; i++) armilla_rough_clear(&set->roughs[i]);
    for (int64_t i = 0; i < set->nconvolutions; i++)
        armilla_convolution_clear(&set->convolutions[i]);
    armilla_release(set->ffts);
    armilla_release(set->batches);
    armilla_release(set->bluesteins);
    armilla_release(set->roughs);
    armilla_release(set->convolutions);
    armilla_release(set);
}

const armilla_fft *armilla_fft_set_find(const armilla_fft_set *set, int64_t n)
{
    int64_t low = 0, high = set->nffts;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (set->ffts[middle].n < n)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->nffts && set->ffts[low].n == n ? &set->ffts[low] : NULL;
}

int64_t armilla_fft_set_scratch_size(const armilla_fft_set *set)
{
    return set->scratch;
}

int64_t armilla_fft_set_bytes(const armilla_fft_set *set)
{
    int64_t bytes = (int64_t)sizeof *set;
    bytes += set->nffts * (int64_t)(sizeof *set->ffts + 2 * sizeof *set->batches);
    bytes += set->rough_room *
             (int64_t)(sizeof *set->bluesteins + sizeof *set->roughs + sizeof *set->convolutions);
    for (int64_t i = 0; i < set->nbatches; i++) bytes += armilla_rows_bytes(&set->batches[i]);
    for (int64_t i = 0; i < set->nbluesteins; i++)
        bytes += (set->bluesteins[i].n + set->bluesteins[i].batch->n / 2 + 1) * 16;
    for (int64_t i = 0; i < set->nroughs; i++) bytes += armilla_rough_bytes(&set->roughs[i]);
    for (int64_t i = 0; i < set->nconvolutions; i++)
        bytes += armilla_convolution_bytes(&set->convolutions[i]);
    return bytes;
}

armilla_status armilla_fft_new(int64_t n, armilla_fft **fft)
{
    armilla_fft_set *set;
    const armilla_fft_set kind = {.isa = ARMILLA_ISA_SCALAR};
    armilla_status status = make_set(kind, 1, &n, NULL, &set);
    if (status) return status;
    set->ffts[0].owner = set;
    *fft = &set->ffts[0];
    return ARMILLA_OK;
}

void armilla_fft_free(armilla_fft *fft)
{
    if (fft) armilla_fft_set_free(fft->owner);
}

/* --- Telling ---------------------------------------------------------------------------------- */

static void tell_factors(const armilla_prime_factor *factors, const armilla_teller *teller)
{
    const armilla_rough *rough = factors->rough;
    char why[128];
    snprintf(why, sizeof why, "the factor is %" PRId64 "; lanes have tables up to 16384",
             rough ? rough->q : factors->bluestein->n);
    if (rough && !rough->convolution)
        armilla_choice_tell(teller, "fft.rough", why, "in lanes, by direct sums");
    else if (rough)
        armilla_choice_tell(teller, "fft.rough", why,
                            "in lanes, by convolutions of length %" PRId64, rough->convolution->n);
    else
        armilla_choice_tell(teller, "fft.rough", why, "in rows, by convolutions of length %" PRId64,
                            factors->bluestein->batch->n);
    armilla_choice_tell(teller, "fft.rows", "short ones go together",
                        "rows of length %" PRId64 ", %" PRId64 " in a call", factors->smooth->n,
                        factors->smooth->rows);
}

void armilla_fft_tell(const armilla_fft *fft, const armilla_teller *teller)
{
    char why[128];
    snprintf(why, sizeof why,
             "%" PRId64 " samples, of %" PRId64 " rings; without 2, 3, 5, 7: %" PRId64, fft->n,
             fft->uses, armilla_fft_rough_factor(fft->n));
    armilla_choice_tell(teller, "fft.factors", why,
                        fft->smooth ? "one row" : "two, by the prime factor algorithm");
    armilla_choice_tell(teller, "fft.way", "rows by what the library was built with (ARMILLA_FFT)",
                        "%s", (fft->smooth ? fft->smooth : fft->factors.smooth)->way->name);
    if (!fft->smooth) tell_factors(&fft->factors, teller);
}

/* --- Calls ------------------------------------------------------------------------------------ */

int64_t armilla_fft_scratch_size(const armilla_fft *fft)
{
    return fft->smooth ? fft->n : armilla_prime_factor_scratch(&fft->factors);
}

double *armilla_fft_execute(const armilla_fft *fft, double *data, double *scratch)
{
    if (fft->smooth) {
        armilla_rows_execute(fft->smooth, 1, data, scratch);
        return scratch;
    }
    armilla_prime_factor_execute(&fft->factors, data, scratch);
    return scratch;
}

void armilla_fft_forward(const armilla_fft *fft, double *data, double *scratch)
{
    memcpy(data, armilla_fft_execute(fft, data, scratch), sizeof *data * (size_t)(2 * fft->n));
}

void armilla_fft_backward(const armilla_fft *fft, double *data, double *scratch)
{
    for (int64_t k = 1; 2 * k < fft->n; k++)
        for (int part = 0; part < 2; part++) {
            double *low = data + 2 * k + part, *high = data + 2 * (fft->n - k) + part;
            const double kept = *low;
            *low = *high, *high = kept;
        }
    armilla_fft_forward(fft, data, scratch);
}
