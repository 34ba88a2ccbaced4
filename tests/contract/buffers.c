/* Arrays of one process: gaps of inputs hold NaN, outputs hold a mark everywhere. */
#include "contract/buffers.h"

#include "oracle/basics.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MARK = 77.25;

static void set(const contract_buffer *b, void *values, int64_t i, double value)
{
    if (b->is_float)
        ((float *)values)[i] = (float)value;
    else
        ((double *)values)[i] = value;
}

static double get(const contract_buffer *b, const void *values, int64_t i)
{
    return b->is_float ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

/* Where number i of component k of all transforms is in the array. */
static int64_t place_of(const contract_buffer *b, int64_t k, int64_t i)
{
    return k * b->distance + b->numbers.own[i];
}

static void fill(const contract_buffer *b, const double *whole)
{
    for (int64_t i = 0; i < b->rows * b->distance; i++)
        set(b, b->before, i, whole ? (double)NAN : MARK);
    for (int64_t k = 0; whole && k < b->rows; k++)
        for (int64_t i = 0; i < b->numbers.count; i++)
            set(b, b->before, place_of(b, k, i), whole[k * b->whole + b->numbers.whole[i]]);
}

contract_buffer contract_buffer_open(const contract_site *site, const contract_script *script,
                                     const contract_run *run, int side, const double *whole)
{
    const contract_side *s = &script->op->sides[side];
    contract_buffer b = {.side = s, .is_float = run->is_float, .rows = run->ntrans * s->ncomp};
    b.numbers = contract_numbers_of(s, site);
    b.whole = contract_size(s, site->grid);
    b.distance = b.numbers.size + run->gap * s->unit;
    b.on_device = contract_takes_device_arrays(script->op, site->place) && !run->on_host;
    b.bytes = (b.rows * b.distance + 1) * (run->is_float ? 4 : 8);
    b.before = checked_calloc(b.bytes, 1);
    fill(&b, whole);
    if (b.on_device)
        b.array = contract_device.put(b.before, b.bytes);
    else
        memcpy(b.array = checked_malloc(b.bytes, 1), b.before, (size_t)b.bytes);
    return b;
}

void contract_buffer_close(contract_buffer *b)
{
    if (b->on_device)
        contract_device.drop(b->array);
    else
        free(b->array);
    free(b->before);
    contract_numbers_free(&b->numbers);
}

static void *what_is_there(const contract_buffer *b)
{
    void *after = checked_malloc(b->bytes, 1);
    if (b->on_device)
        contract_device.get(after, b->array, b->bytes);
    else
        memcpy(after, b->array, (size_t)b->bytes);
    return after;
}

int contract_buffer_untouched(const contract_buffer *b)
{
    void *after = what_is_there(b);
    const int same = !memcmp(after, b->before, (size_t)b->bytes);
    free(after);
    return same;
}

int contract_buffer_collect(const contract_buffer *b, double *whole)
{
    void *after = what_is_there(b);
    for (int64_t k = 0; k < b->rows; k++)
        for (int64_t i = 0; i < b->numbers.count; i++) {
            const int64_t at = place_of(b, k, i);
            whole[k * b->whole + b->numbers.whole[i]] = get(b, after, at);
            set(b, after, at, MARK);
        }
    const int same = !memcmp(after, b->before, (size_t)b->bytes);
    free(after);
    return same;
}
