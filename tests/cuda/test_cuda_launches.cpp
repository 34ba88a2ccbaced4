/* Launches that a grid of blocks cannot take as a whole: each row, slot or piece must be in exactly
 * one of those that are made instead, and none may have more blocks than a grid has, 65535 in its
 * second dimension and 2^31 - 1 in its first. Kernels are as small as they can be. */
#include "cuda/scene.h"

#include "cuda/kernels/legendre_shape.h"
#include "cuda/kernels/ringfft_device.h"

enum { MOST_ROWS = 65535 };

static __global__ void count_row(int *rows, int64_t first)
{
    rows[first + blockIdx.y] += 1;
}

/* As kernels of the Legendre stage with one block of threads for a lot of sets. */
static void each_lot_once(void **)
{
    for (const int64_t lots :
         {(int64_t)0, (int64_t)1, (int64_t)MOST_ROWS, (int64_t)MOST_ROWS + 3}) {
        armilla_cuda_leg_block block = {};
        armilla_cuda_work work = {};
        int launches = 0;
        const device_array<int> rows(std::vector<int>((size_t)lots + 1, 0));
        block.norders = block.ntiles = 1, block.warps = block.vectors = 4;
        launch_shape(
            block, lots, &work, [&](auto shape, dim3 blocks, unsigned threads, int64_t lot) {
                assert_true(decltype(shape)::VECTORS == 4 && threads == 128 && blocks.x == 1);
                launches++;
                return ARMILLA_LAUNCH(count_row, blocks, 1, 0, work.stream, rows.values, lot);
            });
        assert_int_equal(work.error, cudaSuccess);
        assert_int_equal(launches, (lots + MOST_ROWS - 1) / MOST_ROWS);
        assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
        const std::vector<int> made = rows.read();
        for (int64_t i = 0; i <= lots; i++) assert_int_equal(made[(size_t)i], i < lots);
    }
}

/* No launch is made: so many blocks would take an hour here. */
static void check_slots(int64_t count, int64_t together, unsigned tiles, int64_t launches)
{
    armilla_cuda_ring_slots slots = {};
    slots.slots = reinterpret_cast<armilla_cuda_ring_slot *>(sizeof(armilla_cuda_ring_slot));
    slots.count = count, slots.nsets = 7;
    const armilla_cuda_ring_slot *next = slots.slots;
    int64_t made = 0;
    const auto launch = [&](auto, const armilla_cuda_ring_slots &some, dim3 blocks) {
        const int64_t lots = (some.count + together - 1) / together;
        assert_true(some.slots == next && some.nsets == 7 && blocks.y == 7);
        assert_true(blocks.x == lots * tiles && lots * tiles <= INT32_MAX);
        next += some.count, made++;
        return cudaSuccess;
    };
    assert_int_equal(armilla_ring_launch(&slots, together, tiles, launch), cudaSuccess);
    assert_true(next == slots.slots + count);
    assert_int_equal(made, launches);
}

static void each_slot_once(void **)
{
    check_slots(0, 1, 5, 0);
    check_slots(1000, 1, 1, 1);
    check_slots(INT32_MAX, 1, 1, 1);
    check_slots((int64_t)1 << 17, 1, 1 << 15, 3); /* 2^32 blocks, of which 32 bits have none */
    check_slots(((int64_t)1 << 17) + 3, 8, 1 << 17, 2);
}

static void first_error_ends(void **)
{
    int launches = 0;
    const auto launch = [&](int64_t, int64_t) {
        return launches++ ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue;
    };
    assert_int_equal(armilla_ring_pieces(3, 1, INT32_MAX, launch), cudaErrorInvalidValue);
    assert_int_equal(launches, 1);
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_lot_once),
        cmocka_unit_test(each_slot_once),
        cmocka_unit_test(first_error_ends),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
