/* How the ring stage of a GPU cuts its work: every ring is in one slot, methods are chosen as said,
 * slots do not overlap, HEALPix takes few launches at every nside, and a stage that cannot be made
 * says why and leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/integer.h"
#include "cuda/stages/ringfft_layout.h"
#include "cuda/stages/ringfft_smooth.h"
#include "cuda/test_cuda_ringfft_scene.h"

/* The layout of a HEALPix grid, all pairs in one pass. */
typedef struct {
    armilla_ring *rings;
    int64_t nrings;
    armilla_ring_pairs pairs;
    armilla_cuda_ring_layout layout;
} healpix_layout;

static healpix_layout make_healpix(int64_t nside, int64_t mmax, int64_t most)
{
    healpix_layout h;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(nside, &grid));
    h.nrings = armilla_grid_nrings(grid), h.rings = grid_rings(grid);
    double *theta = checked_malloc(h.nrings, sizeof *theta);
    for (int64_t i = 0; i < h.nrings; i++) theta[i] = h.rings[i].theta;
    check_ok(armilla_ring_pairs_make_any(h.nrings, theta, mmax, mmax, 0, &h.pairs));
    const armilla_cuda_own_rings rings = {h.rings, NULL};
    check_ok(armilla_cuda_ring_layout_make(&rings, &h.pairs, 0, h.pairs.count, most, &h.layout));
    armilla_grid_free(grid);
    free(theta);
    return h;
}

static void clear_healpix(healpix_layout *h)
{
    armilla_cuda_ring_layout_clear(&h->layout);
    armilla_ring_pairs_clear(&h->pairs);
    free(h->rings);
}

/* --- Slots ----------------------------------------------------------------------------------- */

/* Numbers of a convolution of a slot in four parts: samples, and orders on either side. */
static int64_t needed(const armilla_cuda_ring_slot *slot)
{
    const int64_t h = slot->n / 4;
    return h + 2 * (slot->limit < 2 * h ? (slot->limit + 3) / 4 : h / 2);
}

/* The rings of a batch lie behind each other in data, in runs of one length that begin at 256
 * bytes. */
static void check_batch(const armilla_cuda_ring_layout *layout,
                        const armilla_cuda_ring_batch *batch, int64_t most)
{
    int64_t end = 0, count = 0;
    for (int method = 0; method < ARMILLA_CUDA_RING_METHODS; method++)
        for (int64_t i = 0; i < batch->slots[method].count; i++, count++) {
            const armilla_cuda_ring_slot *slot = &layout->slots[batch->slots[method].first + i];
            assert_true(slot->place >= end && slot->place < end + 16);
            end = slot->place + slot->parts * slot->length;
            assert_int_equal(method == ARMILLA_CUDA_RING_SMOOTH_PASSES, is_smooth_length(slot->n));
            const int bluestein = method == ARMILLA_CUDA_RING_BLUESTEIN ||
                                  method == ARMILLA_CUDA_RING_SHARED_BLUESTEIN;
            const int64_t h = slot->n / slot->parts, line = 8;
            assert_int_equal((slot->flags & ARMILLA_CUDA_RING_CHIRPED) != 0, bluestein);
            assert_int_equal(slot->parts, bluestein ? 4 : 1);
            assert_true(bluestein ? slot->padded >= needed(slot) : slot->padded == 0);
            assert_int_equal(slot->length, method == ARMILLA_CUDA_RING_BLUESTEIN ? slot->padded
                                           : bluestein           ? (h + line - 1) / line * line
                                           : is_smooth_length(h) ? 0
                                                                 : h);
        }
    assert_true(batch->data_size >= end);
    assert_true(count == 1 || batch->data_size + batch->filter_size <= most);
    for (int64_t i = 0; i < batch->runs.count; i++)
        assert_int_equal(layout->runs[batch->runs.first + i].place % 16, 0);
}

static void check_rings(const healpix_layout *h)
{
    char *seen = checked_calloc(h->pairs.count, 1);
    for (int64_t i = 0; i < h->layout.nslots; i++) {
        const armilla_cuda_ring_slot *slot = &h->layout.slots[i];
        const armilla_ring *north = &h->rings[h->pairs.north[slot->column]];
        assert_true(!seen[slot->column]++);
        assert_true(slot->side[0].offset == north->offset && slot->n == north->nphi);
    }
    assert_int_equal(h->layout.nslots, h->pairs.count);
    free(seen);
}

static void batches_hold_every_ring_once(void **state)
{
    (void)state;
    for (int64_t most = 1000; most < 10000000; most *= 10) {
        healpix_layout h = make_healpix(64, 191, most);
        check_rings(&h);
        for (int64_t i = 0; i < h.layout.nbatches; i++)
            check_batch(&h.layout, &h.layout.batches[i], most);
        clear_healpix(&h);
    }
}

/* The next shorter length, at least half of it, would not do. */
static void few_orders_make_short_convolutions(void **state)
{
    (void)state;
    healpix_layout h = make_healpix(512, 100, INT64_MAX / 64);
    int64_t fewer = 0;
    for (int64_t i = 0; i < h.layout.nslots; i++) {
        const armilla_cuda_ring_slot *slot = &h.layout.slots[i];
        if (slot->padded <= 128) continue;
        assert_true(slot->padded < 2 * needed(slot));
        fewer += slot->padded < slot->n / 2 - 1;
    }
    assert_true(fewer > 50);
    clear_healpix(&h);
}

/* --- Smooth lengths -------------------------------------------------------------------------- */

/* The fewest factors from 2 to 8 whose product is n. */
static int64_t fewest_passes(int64_t n)
{
    int64_t fewest = n == 1 ? 0 : 99;
    for (int64_t radix = 2; radix <= 8 && n > 1; radix++)
        if (n % radix == 0) fewest = armilla_smaller(fewest, 1 + fewest_passes(n / radix));
    return fewest;
}

static void smooth_lengths_take_the_fewest_passes(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= ARMILLA_CUDA_RING_SMOOTH + 100; n++) {
        const uint32_t radices = armilla_cuda_smooth_radices(n);
        int64_t made = 1, roots = 0, passes = 0;
        const int smooth = n > 1 && n <= ARMILLA_CUDA_RING_SMOOTH && is_smooth_length(n);
        assert_int_equal(radices != 0, smooth);
        for (uint32_t rest = radices; rest; rest >>= 4, passes++) {
            assert_true((rest & 15) >= 2 && (rest & 15) <= 8);
            roots += made > 1 ? made : 0;
            made *= rest & 15;
        }
        assert_int_equal(made, smooth ? n : 1);
        assert_int_equal(armilla_cuda_smooth_passes(radices), passes);
        if (!smooth) continue;
        assert_int_equal(passes, fewest_passes(n));
        const int64_t room = armilla_cuda_smooth_room(n);
        assert_true(room >= n && (room < 2 * n || room == 96) && 3072 % room == 0);
        const int64_t table = armilla_cuda_smooth_table_size(n, radices);
        assert_true(table % 8 == 0 && 2 * (table - roots) >= n && table - roots <= n / 2 + 16);
    }
}

/* --- Launches -------------------------------------------------------------------------------- */

/* One launch of smooth rings; two of others by convolutions in shared memory, for padded lengths
 * that 3 divides and for others; 4096 by cuFFT, forward and back, and the product; a belt of more
 * than 3072 samples: one call of cuFFT; both ends of what is not in shared memory: fill and store.
 */
static void healpix_takes_few_launches(void **state)
{
    (void)state;
    static const int64_t expected[][2] = {{8, 1}, {64, 2}, {512, 2}, {1024, 6}, {2048, 9}};
    for (int i = 0; i < 5; i++) {
        const int64_t nside = expected[i][0];
        healpix_layout h = make_healpix(nside, 2 * nside, INT64_MAX / 64);
        assert_int_equal(h.layout.nbatches, 1);
        const int64_t launches = armilla_cuda_ring_layout_launches(&h.layout, 1);
        assert_int_equal(launches, expected[i][1]);
        assert_true(2 * launches + 1 <= 20); /* of a radial convolution by rings */
        clear_healpix(&h);
    }
}

/* What is counted is what happens. */
static void launches_are_counted(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        scene s;
        const int keep = i % 2;
        const int64_t most = keep ? PLENTY : 0; /* one ring pair in a batch, filters made */
        ring_case of = i < 2 ? cases[4] : every_way;
        of.nsets = 1;
        set_up(&s, &of, most);
        const armilla_cuda_own_rings rings = {s.rings, NULL};
        armilla_cuda_ring_layout layout;
        check_ok(armilla_cuda_ring_layout_make(&rings, &s.pairs, 0, s.pairs.count, most, &layout));
        cuda_emulation_launches();
        free(synthesise(&s));
        const int64_t counted = armilla_cuda_ring_layout_launches(&layout, keep);
        assert_int_equal(cuda_emulation_launches(), counted);
        armilla_cuda_ring_layout_clear(&layout);
        tear_down(&s);
    }
}

/* --- Failures -------------------------------------------------------------------------------- */

typedef int64_t (*fail_function)(int64_t successes);

/* Makes the n-th request fail, for every n. */
static void check_failures(fail_function fail_after, int64_t most, int single, armilla_status also)
{
    scene s;
    armilla_cuda_ringfft *cuda = NULL;
    int64_t failures = 0;
    set_up(&s, &every_way, most);
    const int64_t bytes = cuda_emulation_live_bytes();
    for (armilla_status status = ARMILLA_ERROR_MEMORY; status; failures++) {
        fail_after(failures);
        status = armilla_cuda_ringfft_new(s.rings, NULL, &s.passes, most, single, &cuda);
        fail_after(-1);
        assert_true(!status || status == ARMILLA_ERROR_MEMORY || status == also);
        if (status) assert_int_equal(cuda_emulation_live_bytes(), bytes);
    }
    assert_true(failures > 3);
    armilla_cuda_ringfft_free(cuda);
    tear_down(&s);
}

static void failures_leave_nothing_behind(void **state)
{
    (void)state;
    const armilla_status memory = ARMILLA_ERROR_MEMORY, cuda = ARMILLA_ERROR_UNSUPPORTED;
    check_failures(armilla_memory_fail_after, 1 << 14, 0, memory);
    for (int single = 0; single < 2; single++) {
        check_failures(armilla_memory_fail_after, PLENTY, single, memory);
        check_failures(cuda_emulation_fail_after, PLENTY, single, memory);
        check_failures(cuda_emulation_fail_call_after, PLENTY, single, cuda);
    }
}

/* Errors of a call are kept in the work, the first one of them. */
static void errors_of_a_call_are_kept(void **state)
{
    (void)state;
    scene s;
    set_up(&s, &every_way, PLENTY);
    armilla_cuda_work work = {.scratch_bytes = armilla_cuda_ringfft_scratch(s.cuda, s.c->nsets)};
    double *leg = new_leg(&s, 0);
    each_entry(&s, 0, set_entry, leg);
    void *map = new_map(&s, 0), *device_map = to_device(map, map_bytes(&s));
    double *device_leg = to_device(leg, sizeof *leg * (size_t)leg_size(&s, 0));
    const armilla_leg view = leg_of(&s, 0, device_leg);
    const armilla_ring_maps maps = maps_of(&s, device_map);
    check_ok(armilla_cuda_allocate(work.scratch_bytes, "scratch", &work.scratch));
    int64_t failures = 0;
    for (work.error = cudaErrorUnknown; work.error; failures++) {
        work.error = cudaSuccess;
        cuda_emulation_fail_call_after(failures);
        armilla_cuda_ringfft_to_maps(s.cuda, 0, &view, &maps, &work);
        cuda_emulation_fail_call_after(-1);
    }
    assert_true(failures >= 6); /* two kernels, fill, three for 4096, store */
    armilla_cuda_release(device_leg), armilla_cuda_release(device_map);
    armilla_cuda_release(work.scratch), armilla_release(leg), free(map);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_hold_every_ring_once),
        cmocka_unit_test(few_orders_make_short_convolutions),
        cmocka_unit_test(smooth_lengths_take_the_fewest_passes),
        cmocka_unit_test(healpix_takes_few_launches),
        cmocka_unit_test(launches_are_counted),
        cmocka_unit_test(failures_leave_nothing_behind),
        cmocka_unit_test(errors_of_a_call_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
