/* Cuts an array by chance among ranks, twice, moves it, and compares every byte of the targets with
 * what each number has been given: ranks may have nothing, want nothing, or want the same. */
#include "ranks/moves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ranks_move ranks_moves[] = {{"spans by chance", ranks_move_by_chance},
                                  {"maps", ranks_move_maps},
                                  {"alm", ranks_move_alm},
                                  {"gather and scatter", ranks_gather_and_scatter},
                                  {"spans that are refused", ranks_refuse_spans},
                                  {"runs that are refused", ranks_refuse_runs},
                                  {NULL, NULL}};

int ranks_complain(const armilla_transport *transport, const char *what, const char *why)
{
    fprintf(stderr, "rank %lld of %lld, %s: %s\n", (long long)transport->rank,
            (long long)transport->nranks, what, why);
    return 1;
}

/* --- Chance ---------------------------------------------------------------------------------- */

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* 0 .. below - 1 */
static int64_t pick(uint64_t *state, int64_t below)
{
    return (int64_t)(next(state) % (uint64_t)below);
}

/* --- A case: all ranks make that of all ranks ------------------------------------------------ */

enum { MOST_NUMBERS = 3000, MOST_SPANS = MOST_NUMBERS };

typedef struct {
    int64_t count;
    armilla_span spans[MOST_SPANS];
} span_list;

typedef struct {
    int64_t nnumbers;
    int64_t bytes, narrays, chunk_bytes;
    int64_t source_gap, target_gap; /* between arrays; -1: stride 0 */
    int has_source[MOST_NUMBERS];
    span_list from, to; /* of the own rank */
} scene;

static void add(span_list *list, int64_t begin, int64_t count)
{
    if (list->count < MOST_SPANS) list->spans[list->count++] = (armilla_span){begin, count, 0};
}

/* Half of the ranks have no source, if there are several; some numbers have none either. */
static void cut_source(scene *s, const armilla_transport *t, uint64_t *chance)
{
    const int64_t longest = 1 + pick(chance, pick(chance, 2) ? 8 : 500);
    for (int64_t begin = 0, count; begin < s->nnumbers; begin += count) {
        count = 1 + pick(chance, longest);
        if (count > s->nnumbers - begin) count = s->nnumbers - begin;
        const int64_t rank = pick(chance, t->nranks) / 2 * 2;
        const int missing = pick(chance, 8) == 0;
        for (int64_t i = 0; i < count; i++) s->has_source[begin + i] = !missing;
        if (missing || rank != t->rank) continue;
        add(&s->from, begin, count);
    }
}

static void cut_target(scene *s, const armilla_transport *t, uint64_t *chance)
{
    uint64_t own = next(chance) + (uint64_t)t->rank;
    const int64_t nspans = pick(&own, 4) ? pick(&own, 60) : 0;
    const int64_t longest = 1 + pick(&own, pick(&own, 2) ? 8 : 1000);
    for (int64_t i = 0; i < nspans; i++) {
        const int64_t begin = pick(&own, s->nnumbers), most = pick(&own, longest + 1);
        int64_t count = 0;
        while (count < most && begin + count < s->nnumbers && s->has_source[begin + count]) count++;
        add(&s->to, begin, count);
    }
}

/* Shuffles spans, perhaps, and gives them places, perhaps with gaps. */
static void place(span_list *list, uint64_t *chance)
{
    const int shuffled = pick(chance, 2) == 0, gaps = pick(chance, 2) == 0;
    int64_t end = 0;
    for (int64_t i = list->count - 1; i > 0 && shuffled; i--) {
        const int64_t j = pick(chance, i + 1);
        const armilla_span swap = list->spans[i];
        list->spans[i] = list->spans[j], list->spans[j] = swap;
    }
    for (int64_t i = 0; i < list->count; i++) {
        list->spans[i].place = end += gaps ? pick(chance, 4) : 0;
        end += list->spans[i].count;
    }
}

static void make_scene(scene *s, const armilla_transport *t, uint64_t seed)
{
    static const int64_t bytes[] = {1, 4, 8, 16, 24};
    uint64_t chance = seed;
    memset(s, 0, sizeof *s);
    s->nnumbers = 1 + pick(&chance, pick(&chance, 2) ? MOST_NUMBERS : 20);
    s->bytes = bytes[pick(&chance, 5)];
    s->chunk_bytes = pick(&chance, 3) ? 1 + s->bytes * pick(&chance, s->nnumbers) : 0;
    s->narrays = pick(&chance, 5);
    s->source_gap = pick(&chance, 4) - 1, s->target_gap = pick(&chance, 4) - 1;
    cut_source(s, t, &chance);
    cut_target(s, t, &chance);
    uint64_t own = next(&chance) + 1000u * (uint64_t)t->rank;
    place(&s->from, &own);
    place(&s->to, &own);
}

/* --- Arrays ---------------------------------------------------------------------------------- */

typedef struct {
    const span_list *list;
    int64_t stride, size; /* numbers of an array, bytes of all */
    int64_t given_stride;
    unsigned char *values;
} arrays;

static arrays make_arrays(const scene *s, const span_list *list, int64_t gap)
{
    arrays a = {.list = list};
    for (int64_t i = 0; i < list->count; i++) {
        const int64_t end = list->spans[i].place + list->spans[i].count;
        if (list->spans[i].count > 0 && end > a.stride) a.stride = end;
    }
    if (gap >= 0) a.given_stride = a.stride += gap;
    a.size = s->bytes * s->narrays * a.stride;
    a.values = malloc((size_t)a.size + 1);
    if (!a.values) abort();
    memset(a.values, 0xa5, (size_t)a.size);
    return a;
}

static unsigned char value(int64_t array, int64_t number, int64_t byte)
{
    uint64_t state = (uint64_t)(array * 1000003 + number * 101 + byte);
    return (unsigned char)next(&state);
}

/* What an array is after all its spans have got their numbers. */
static void fill(const scene *s, arrays *a)
{
    for (int64_t array = 0; array < s->narrays; array++)
        for (int64_t k = 0; k < a->list->count; k++) {
            const armilla_span *span = &a->list->spans[k];
            for (int64_t i = 0; i < span->count; i++)
                for (int64_t byte = 0; byte < s->bytes; byte++)
                    a->values[(array * a->stride + span->place + i) * s->bytes + byte] =
                        value(array, span->begin + i, byte);
        }
}

static int run_scene(const scene *s, const armilla_transport *t, const char *name)
{
    armilla_redistribution_options options;
    armilla_redistribution *r = NULL;
    arrays source = make_arrays(s, &s->from, s->source_gap);
    arrays target = make_arrays(s, &s->to, s->target_gap);
    arrays wanted = make_arrays(s, &s->to, s->target_gap);
    int failed = 0;
    armilla_redistribution_options_init(&options);
    options.chunk_bytes = s->chunk_bytes;
    fill(s, &source);
    fill(s, &wanted);
    if (armilla_redistribution_new(t, s->from.count, s->from.spans, s->to.count, s->to.spans,
                                   &options, &r) ||
        armilla_redistribution_run(r, s->bytes, s->narrays, source.size ? source.values : NULL,
                                   source.given_stride, target.size ? target.values : NULL,
                                   target.given_stride))
        failed = ranks_complain(t, name, armilla_status_message());
    else if (memcmp(target.values, wanted.values, (size_t)wanted.size))
        failed = ranks_complain(t, name, "the target has other numbers");
    armilla_redistribution_free(r);
    free(source.values);
    free(target.values);
    free(wanted.values);
    return failed;
}

int ranks_move_by_chance(const armilla_transport *transport)
{
    scene *s = malloc(sizeof *s);
    char name[60];
    int failed = 0;
    if (!s) abort();
    for (unsigned i = 0; i < 16; i++) {
        const unsigned seed = 100 * (unsigned)transport->nranks + i;
        make_scene(s, transport, seed);
        snprintf(name, sizeof name, "spans by chance, seed %u", seed);
        failed |= run_scene(s, transport, name);
    }
    free(s);
    return failed;
}
