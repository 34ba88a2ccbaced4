/* Deals units of work: the largest ones first, each to the member that has least so far; and the
 * same for units that are folded in the middle, so that first and last ones go together, which is
 * better where a member gets few units whose costs fall evenly. The better deal is taken. */
#include "ranks/deal.h"

#include "base/integer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t number, cost; /* of a unit or a member */
} load;

/* Larger costs first, then smaller numbers. */
static int compare(const void *a, const void *b)
{
    const load *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

static int is_less(const load *a, const load *b)
{
    return a->cost != b->cost ? a->cost < b->cost : a->number < b->number;
}

/* The root of a heap has least: it has changed. */
static void sift_down(int64_t count, load *heap)
{
    for (int64_t i = 0;;) {
        int64_t child = 2 * i + 1;
        if (child >= count) return;
        if (child + 1 < count && is_less(&heap[child + 1], &heap[child])) child++;
        if (!is_less(&heap[child], &heap[i])) return;
        const load swap = heap[i];
        heap[i] = heap[child], heap[child] = swap;
        i = child;
    }
}

/* units: filled, and sorted here. Returned: the largest load. */
static int64_t deal_sorted(int64_t nunits, load *units, int64_t nmembers, load *heap,
                           int64_t *member)
{
    int64_t largest = 0;
    qsort(units, (size_t)nunits, sizeof *units, compare);
    for (int64_t i = 0; i < nmembers; i++) heap[i] = (load){i, 0};
    for (int64_t i = 0; i < nunits; i++) {
        member[units[i].number] = heap[0].number;
        heap[0].cost += units[i].cost;
        largest = armilla_larger(largest, heap[0].cost);
        sift_down(nmembers, heap);
    }
    return largest;
}

static void deal_both(int64_t nunits, const int64_t *cost, int64_t nmembers, load *work,
                      int64_t *member)
{
    load *units = work, *heap = work + nunits;
    int64_t *folded = (int64_t *)(heap + nmembers);
    const int64_t nfolds = (nunits + 1) / 2;
    for (int64_t i = 0; i < nunits; i++) units[i] = (load){i, cost[i]};
    const int64_t plain = deal_sorted(nunits, units, nmembers, heap, member);
    for (int64_t i = 0; i < nfolds; i++) {
        const int64_t other = nunits - 1 - i;
        units[i] = (load){i, cost[i] + (other > i ? cost[other] : 0)};
    }
    if (deal_sorted(nfolds, units, nmembers, heap, folded) >= plain) return;
    for (int64_t i = 0; i < nunits; i++) member[i] = folded[armilla_smaller(i, nunits - 1 - i)];
}

armilla_status armilla_deal(int64_t nunits, const int64_t *cost, int64_t nmembers, int64_t *member)
{
    load *work; /* units, members, and the deal of folds */
    armilla_status status = armilla_allocate(&work, 2 * nunits + nmembers + 1, sizeof *work);
    if (status) return status;
    deal_both(nunits, cost, nmembers, work, member);
    armilla_release(work);
    return ARMILLA_OK;
}
