/* Deals units of work: the largest ones first, each to the member that has least so far; and the
 * same for units that are folded in the middle, so that first and last ones go together, which is
 * better where a member gets few units whose costs fall evenly. The better deal is taken. Where
 * members have so few units that one of them still has much more than the mean, those that have
 * most then meet those that have least, two by two, and split their smallest units anew. Each keeps
 * its number of units: other quantities than the cost, such as memory, stay about as equal. */
#include "ranks/deal.h"

#include "base/integer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEW = 5,     /* units of a member that a split takes: 252 ways for two members */
    ROUNDS = 64, /* at most */
    TURNS = 8,   /* rounds without an exchange, after which nothing more is tried */
    NEAR = 200   /* members with at most 1 / NEAR more than the mean are let alone */
};

typedef struct {
    int64_t number, cost; /* of a unit or a member */
} load;

/* Units of each member, the smallest ones in front: first[member], then next[unit], ...; -1: the
 * end. */
typedef struct {
    int64_t *first, *next;
} hands;

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

/* --- Splits ---------------------------------------------------------------------------------- */

/* Takes up to FEW units out of a member's hand. Returned: how many. */
static int take(const int64_t *cost, hands *h, int64_t member, load *units)
{
    int count = 0;
    for (int64_t unit; count < FEW && (unit = h->first[member]) >= 0; count++) {
        units[count] = (load){unit, cost[unit]};
        h->first[member] = h->next[unit];
    }
    return count;
}

static void put(hands *h, int64_t member, int64_t unit)
{
    h->next[unit] = h->first[member];
    h->first[member] = unit;
}

/* Tries all sets of as many units as the first `mine`. Returned: the one, as bits, whose cost is
 * nearest to `wanted`; the first `mine` themselves where none is nearer. */
static unsigned best_set(int count, int mine, const load *units, int64_t wanted)
{
    unsigned set = (1U << mine) - 1, best = set;
    int64_t cost = 0, least = INT64_MAX;
    int size = mine;
    for (int i = 0; i < mine; i++) cost += units[i].cost;
    for (unsigned step = 1; step <= 1U << count; step++) { /* sets differ by one unit each */
        const int64_t away = cost < wanted ? wanted - cost : cost - wanted;
        if (size == mine && away < least) least = away, best = set;
        int i = 0;
        while (i < count - 1 && !(step >> i & 1)) i++;
        set ^= 1U << i;
        const int sign = set >> i & 1 ? 1 : -1;
        cost += sign * units[i].cost, size += sign;
    }
    return best;
}

/* Returned: has anything changed hands? */
static int split(const int64_t *cost, hands *h, load *rich, load *poor)
{
    load units[2 * FEW];
    const int mine = take(cost, h, rich->number, units);
    const int count = mine + take(cost, h, poor->number, units + mine);
    int64_t wanted = (rich->cost + poor->cost) / 2 - rich->cost;
    for (int i = 0; i < mine; i++) wanted += units[i].cost;
    const unsigned set = best_set(count, mine, units, wanted);
    for (int i = count - 1; i >= 0; i--) {
        const int was = i < mine, is = set >> i & 1;
        put(h, is ? rich->number : poor->number, units[i].number);
        rich->cost += (is - was) * units[i].cost;
        poor->cost -= (is - was) * units[i].cost;
    }
    return set != (1U << mine) - 1;
}

/* The richest meets the poorest, the next the next, ...; in later rounds others. */
static void refine(const int64_t *cost, int64_t nmembers, load *members, hands *h)
{
    int64_t total = 0;
    for (int64_t i = 0; i < nmembers; i++) total += members[i].cost;
    const int64_t mean = total / nmembers, fair = mean + mean / NEAR, half = nmembers / 2;
    int idle = 0;
    for (int round = 0; round < ROUNDS && idle < TURNS; round++) {
        int found = 0;
        qsort(members, (size_t)nmembers, sizeof *members, compare);
        if (members[0].cost <= fair) return;
        for (int64_t i = 0; i < half && members[i].cost > fair; i++) {
            const int64_t other = (i + round * (3 * half / 8 + 1)) % half;
            found |= split(cost, h, &members[i], &members[nmembers - 1 - other]);
        }
        idle = found ? 0 : idle + 1;
    }
}

static void fill_hands(int64_t nunits, load *units, const int64_t *member, load *members, hands *h)
{
    qsort(units, (size_t)nunits, sizeof *units, compare);
    for (int64_t i = 0; i < nunits; i++) {
        load *of = &members[member[units[i].number]];
        put(h, of->number, units[i].number);
        of->cost += units[i].cost;
    }
}

/* --- All ------------------------------------------------------------------------------------- */

armilla_status armilla_deal(int64_t nunits, const int64_t *cost, int64_t nmembers, int64_t *member)
{
    load *work; /* units, members, and the deal of folds */
    hands h = {NULL, NULL};
    armilla_status status = armilla_allocate(&work, 2 * nunits + nmembers + 1, sizeof *work);
    if (!status) status = armilla_allocate(&h.first, nunits + nmembers, sizeof *h.first);
    if (!status) {
        load *members = work + nunits;
        h.next = h.first + nmembers;
        deal_both(nunits, cost, nmembers, work, member);
        for (int64_t i = 0; i < nunits; i++) work[i] = (load){i, cost[i]};
        for (int64_t i = 0; i < nmembers; i++) members[i] = (load){i, 0}, h.first[i] = -1;
        fill_hands(nunits, work, member, members, &h);
        refine(cost, nmembers, members, &h);
        for (int64_t i = 0; i < nmembers; i++)
            for (int64_t unit = h.first[i]; unit >= 0; unit = h.next[unit]) member[unit] = i;
    }
    armilla_release(work);
    armilla_release(h.first);
    return status;
}
