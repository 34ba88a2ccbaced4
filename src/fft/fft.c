/* Lengths with prime factors 2, 3, 5, 7 go to FFTW, the others to Bluestein's convolution
 * (docs/mathematics.md 4). A set plans each smooth length once, whether it is wanted itself or as
 * the length of a convolution. */
#include "fft/fft.h"
#include "base/memory.h"
#include "fft/bluestein.h"

#include <stdlib.h>
#include <string.h>

struct armilla_fft {
    int64_t n;
    const armilla_fftw_pair *pair;      /* of length n, or of the convolution's length */
    const armilla_bluestein *bluestein; /* NULL: n is smooth */
    armilla_fft_set *owner;             /* made by armilla_fft_new: the set to free; else NULL */
};

struct armilla_fft_set {
    int64_t nffts, npairs, nbluesteins;
    armilla_fft *ffts; /* ascending n */
    armilla_fftw_pair *pairs;
    armilla_bluestein *bluesteins;
};

static const int64_t LENGTH_LIMIT = (int64_t)1 << 30;

static int64_t without_factor(int64_t n, int64_t factor)
{
    while (n % factor == 0) n /= factor;
    return n;
}

static int is_direct(int64_t n)
{
    for (int64_t factor = 2; factor <= 7; factor++) n = without_factor(n, factor);
    return n == 1;
}

int64_t armilla_fft_smooth_length(int64_t minimum)
{
    int64_t n = minimum < 1 ? 1 : minimum;
    while (without_factor(without_factor(without_factor(n, 2), 3), 5) != 1) n++;
    return n;
}

static armilla_status find_pair(armilla_fft_set *set, int64_t n, const armilla_fftw_pair **pair)
{
    int64_t i = 0;
    while (i < set->npairs && set->pairs[i].n != n) i++;
    if (i == set->npairs) {
        armilla_status status = armilla_fftw_pair_make(n, &set->pairs[i]);
        if (status) return status;
        set->npairs++;
    }
    *pair = &set->pairs[i];
    return ARMILLA_OK;
}

static armilla_status plan_length(armilla_fft_set *set, int64_t n)
{
    armilla_fft *fft = &set->ffts[set->nffts];
    int direct = is_direct(n);
    armilla_status status = find_pair(set, direct ? n : armilla_bluestein_padded(n), &fft->pair);
    if (!status && !direct) {
        armilla_bluestein *bluestein = &set->bluesteins[set->nbluesteins];
        status = armilla_bluestein_make(n, fft->pair, bluestein);
        if (!status) set->nbluesteins++;
        fft->bluestein = bluestein;
    }
    if (status) return status;
    fft->n = n;
    set->nffts++;
    return ARMILLA_OK;
}

static int compare_lengths(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static armilla_status plan_lengths(armilla_fft_set *set, int64_t nlengths, const int64_t *sorted)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < nlengths && !status; i++) {
        if (sorted[i] < 1 || sorted[i] > LENGTH_LIMIT)
            status = armilla_fail_argument("fft length", sorted[i], "must be 1 to 2^30");
        else if (i == 0 || sorted[i] != sorted[i - 1])
            status = plan_length(set, sorted[i]);
    }
    return status;
}

armilla_status armilla_fft_set_new(int64_t nlengths, const int64_t *lengths, armilla_fft_set **set)
{
    armilla_fft_set *made = NULL;
    int64_t *sorted = NULL;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    status = armilla_allocate(&sorted, nlengths, sizeof *sorted);
    if (!status) status = armilla_allocate_zero(&made->ffts, nlengths, sizeof *made->ffts);
    if (!status) status = armilla_allocate_zero(&made->pairs, nlengths, sizeof *made->pairs);
    if (!status)
        status = armilla_allocate_zero(&made->bluesteins, nlengths, sizeof *made->bluesteins);
    if (!status && nlengths > 0) {
        memcpy(sorted, lengths, (size_t)nlengths * sizeof *sorted);
        qsort(sorted, (size_t)nlengths, sizeof *sorted, compare_lengths);
        status = plan_lengths(made, nlengths, sorted);
    }
    armilla_release(sorted);
    if (status)
        armilla_fft_set_free(made);
    else
        *set = made;
    return status;
}

void armilla_fft_set_free(armilla_fft_set *set)
{
    if (!set) return;
    for (int64_t i = 0; i < set->npairs; i++) armilla_fftw_pair_clear(&set->pairs[i]);
    for (int64_t i = 0; i < set->nbluesteins; i++) armilla_bluestein_clear(&set->bluesteins[i]);
    armilla_release(set->ffts);
    armilla_release(set->pairs);
    armilla_release(set->bluesteins);
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
    int64_t largest = 0;
    for (int64_t i = 0; i < set->nffts; i++) {
        int64_t size = armilla_fft_scratch_size(&set->ffts[i]);
        if (size > largest) largest = size;
    }
    return largest;
}

int64_t armilla_fft_set_bytes(const armilla_fft_set *set)
{
    int64_t bytes = (int64_t)sizeof *set + set->nffts * (int64_t)sizeof *set->ffts;
    for (int64_t i = 0; i < set->nbluesteins; i++)
        bytes += (set->bluesteins[i].n + set->bluesteins[i].padded / 2 + 1) * 16;
    return bytes;
}

armilla_status armilla_fft_new(int64_t n, armilla_fft **fft)
{
    armilla_fft_set *set;
    armilla_status status = armilla_fft_set_new(1, &n, &set);
    if (status) return status;
    set->ffts[0].owner = set;
    *fft = &set->ffts[0];
    return ARMILLA_OK;
}

void armilla_fft_free(armilla_fft *fft)
{
    if (fft) armilla_fft_set_free(fft->owner);
}

int64_t armilla_fft_length(const armilla_fft *fft)
{
    return fft->n;
}

int64_t armilla_fft_scratch_size(const armilla_fft *fft)
{
    return fft->bluestein ? fft->bluestein->padded : 0;
}

static void execute(const armilla_fft *fft, int sign, double *data, double *scratch)
{
    if (!fft->bluestein) {
        armilla_fftw_pair_execute(fft->pair, sign, data);
        return;
    }
    armilla_bluestein_execute(fft->bluestein, fft->pair, sign, data, 1, scratch);
    memcpy(data, scratch, (size_t)fft->n * 2 * sizeof *data);
}

void armilla_fft_forward(const armilla_fft *fft, double *data, double *scratch)
{
    execute(fft, -1, data, scratch);
}

void armilla_fft_backward(const armilla_fft *fft, double *data, double *scratch)
{
    execute(fft, +1, data, scratch);
}
