/* Collects pixels, as regions of the sky are searched, into runs of consecutive numbers in an array
 * that grows, joins a run to the one before where they meet, and lets callers read the result. */
#include "grid/healpix_ranges.h"

#include "base/memory.h"
#include <string.h>

void armilla_ranges_start(armilla_healpix_ranges *ranges)
{
    ranges->count = 0;
    ranges->capacity = sizeof ranges->few / sizeof *ranges->few;
    ranges->runs = ranges->few;
    ranges->status = ARMILLA_OK;
}

void armilla_ranges_end(armilla_healpix_ranges *ranges)
{
    if (ranges->runs != ranges->few) armilla_release(ranges->runs);
}

armilla_status armilla_ranges_new(armilla_healpix_ranges **ranges)
{
    armilla_healpix_ranges *made = NULL;
    armilla_status status = armilla_allocate(&made, 1, sizeof *made);
    if (status) return status;
    armilla_ranges_start(made);
    *ranges = made;
    return ARMILLA_OK;
}

static void grow(armilla_healpix_ranges *ranges)
{
    int64_t(*larger)[2] = NULL, capacity = 4 * ranges->capacity;
    ranges->status = armilla_allocate(&larger, capacity, sizeof *larger);
    if (ranges->status) return;
    memcpy(larger, ranges->runs, (size_t)ranges->count * sizeof *larger);
    if (ranges->runs != ranges->few) armilla_release(ranges->runs);
    ranges->runs = larger;
    ranges->capacity = capacity;
}

void armilla_ranges_add(armilla_healpix_ranges *ranges, int64_t first, int64_t end)
{
    if (first >= end || ranges->status) return;
    if (ranges->count > 0 && ranges->runs[ranges->count - 1][1] == first) {
        ranges->runs[ranges->count - 1][1] = end;
        return;
    }
    if (ranges->count == ranges->capacity) grow(ranges);
    if (ranges->status) return;
    ranges->runs[ranges->count][0] = first;
    ranges->runs[ranges->count++][1] = end;
}

void armilla_healpix_ranges_free(armilla_healpix_ranges *ranges)
{
    if (!ranges) return;
    armilla_ranges_end(ranges);
    armilla_release(ranges);
}

int64_t armilla_healpix_ranges_count(const armilla_healpix_ranges *ranges)
{
    return ranges ? ranges->count : -1;
}

int64_t armilla_healpix_ranges_npixels(const armilla_healpix_ranges *ranges)
{
    int64_t sum = 0;
    if (!ranges) return -1;
    for (int64_t i = 0; i < ranges->count; i++) sum += ranges->runs[i][1] - ranges->runs[i][0];
    return sum;
}

armilla_status armilla_healpix_ranges_get(const armilla_healpix_ranges *ranges, int64_t *runs)
{
    armilla_status status = armilla_check_given("ranges", ranges);
    if (!status && ranges->count > 0) status = armilla_check_given("runs", runs);
    if (!status && ranges->count > 0)
        memcpy(runs, ranges->runs, (size_t)ranges->count * sizeof *ranges->runs);
    return status;
}

armilla_status armilla_healpix_ranges_pixels(const armilla_healpix_ranges *ranges, int64_t *pixels)
{
    armilla_status status = armilla_check_given("ranges", ranges);
    if (!status && ranges->count > 0) status = armilla_check_given("pixels", pixels);
    for (int64_t i = 0; !status && i < ranges->count; i++)
        for (int64_t pixel = ranges->runs[i][0]; pixel < ranges->runs[i][1]; pixel++)
            *pixels++ = pixel;
    return status;
}
