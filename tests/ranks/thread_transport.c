/* Messages by memcpy: a sender posts the place of its data, a receiver takes it while it waits, or
 * when it is poked. All is behind one lock; mail is found by rank, slot, and sequence. */
#include "ranks/thread_transport.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = ARMILLA_TRANSPORT_SLOTS };

typedef struct {
    const void *data; /* NULL: there is none */
    int64_t bytes;
} letter;

typedef struct {
    const ranks_threads_options *options;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    letter *letters; /* [from][to][slot] */
    int broken;      /* has a transport failed? Then those of all others do */
    int misused;     /* by another thread than the rank's, or poked while nothing is under way */
    int64_t taken_early;
    int64_t round, arrived, count; /* of `largest` */
    int64_t *values, *result;
    ranks_work work;
    void *work_context;
} office;

typedef struct {
    office *office;
    int64_t rank, calls;
    unsigned chance;
    pthread_t thread;
    int under_way[SLOTS];
    int64_t nsends[SLOTS], nreceives[SLOTS];
    armilla_message *sends[SLOTS], *receives[SLOTS]; /* bytes 0: received */
    int result;
} person;

static letter *letter_of(office *o, int64_t from, int64_t to, int slot)
{
    return &o->letters[(from * o->options->nranks + to) * SLOTS + slot];
}

/* Does this call fail on purpose? */
static int fails(person *p)
{
    office *o = p->office;
    pthread_mutex_lock(&o->lock);
    if (!pthread_equal(p->thread, pthread_self())) o->misused = 1;
    if (++p->calls == o->options->fails_at && p->rank == o->options->nranks - 1) o->broken = 1;
    const int broken = o->broken;
    if (broken) pthread_cond_broadcast(&o->changed);
    pthread_mutex_unlock(&o->lock);
    return broken;
}

static void wait_by_chance(person *p)
{
    const unsigned delays = p->office->options->delays;
    if (!delays) return;
    p->chance = p->chance * 1103515245u + 12345u;
    usleep(p->chance / 65536u % delays);
}

static armilla_message *copy(int64_t count, const armilla_message *messages)
{
    armilla_message *result = malloc((size_t)(count + 1) * sizeof *result);
    if (!result) abort();
    if (count) memcpy(result, messages, (size_t)count * sizeof *result);
    return result;
}

static void forget(person *p, int slot)
{
    free(p->sends[slot]);
    free(p->receives[slot]);
    p->sends[slot] = p->receives[slot] = NULL;
    p->nsends[slot] = p->nreceives[slot] = 0;
}

static int start(void *context, int slot, int64_t nsends, const armilla_message *sends,
                 int64_t nreceives, const armilla_message *receives)
{
    person *p = context;
    office *o = p->office;
    if (fails(p)) return 1;
    forget(p, slot);
    p->under_way[slot] = 1;
    p->nsends[slot] = nsends, p->sends[slot] = copy(nsends, sends);
    p->nreceives[slot] = nreceives, p->receives[slot] = copy(nreceives, receives);
    wait_by_chance(p);
    pthread_mutex_lock(&o->lock);
    for (int64_t i = 0; i < nsends; i++) {
        letter *l = letter_of(o, p->rank, sends[i].rank, slot);
        if ((l->data && !o->broken) || sends[i].bytes <= 0 || sends[i].rank == p->rank) abort();
        *l = (letter){sends[i].data, sends[i].bytes};
    }
    pthread_cond_broadcast(&o->changed);
    pthread_mutex_unlock(&o->lock);
    return 0;
}

/* The lock is held. */
static int give_up(person *p, int slot)
{
    pthread_mutex_unlock(&p->office->lock);
    forget(p, slot);
    return 1;
}

/* Takes a message that is there. The lock is held. */
static void take(person *p, letter *l, armilla_message *message)
{
    const ranks_threads_options *options = p->office->options;
    if (l->bytes != message->bytes) abort();
    if (options->copy)
        options->copy(message->data, l->data, message->bytes);
    else
        memcpy(message->data, l->data, (size_t)message->bytes);
    l->data = NULL, message->bytes = 0;
    pthread_cond_broadcast(&p->office->changed);
}

static int poke(void *context)
{
    person *p = context;
    office *o = p->office;
    if (fails(p)) return 1;
    pthread_mutex_lock(&o->lock);
    if (!p->under_way[0] && !p->under_way[1]) o->misused = 1;
    for (int slot = 0; slot < SLOTS; slot++)
        for (int64_t i = 0; i < p->nreceives[slot]; i++) {
            armilla_message *r = &p->receives[slot][i];
            letter *l = letter_of(o, r->rank, p->rank, slot);
            if (r->bytes == 0 || !l->data) continue;
            take(p, l, r);
            o->taken_early++;
        }
    pthread_mutex_unlock(&o->lock);
    return 0;
}

static int wait_all(void *context, int slot)
{
    person *p = context;
    office *o = p->office;
    p->under_way[slot] = 0;
    if (fails(p)) return 1;
    for (int64_t n = 0; n < p->nreceives[slot]; n++) {
        const int64_t i = p->office->options->delays ? p->nreceives[slot] - 1 - n : n;
        armilla_message *r = &p->receives[slot][i];
        letter *l = letter_of(o, r->rank, p->rank, slot);
        if (r->bytes == 0) continue;
        wait_by_chance(p);
        pthread_mutex_lock(&o->lock);
        while (!l->data && !o->broken) pthread_cond_wait(&o->changed, &o->lock);
        if (o->broken) return give_up(p, slot);
        take(p, l, r);
        pthread_mutex_unlock(&o->lock);
    }
    pthread_mutex_lock(&o->lock);
    for (int64_t i = 0; i < p->nsends[slot]; i++)
        while (letter_of(o, p->rank, p->sends[slot][i].rank, slot)->data && !o->broken)
            pthread_cond_wait(&o->changed, &o->lock);
    pthread_mutex_unlock(&o->lock);
    forget(p, slot);
    return 0;
}

static int largest(void *context, int64_t count, int64_t *values)
{
    person *p = context;
    office *o = p->office;
    if (fails(p)) return 1;
    wait_by_chance(p);
    pthread_mutex_lock(&o->lock);
    if (o->arrived++ == 0) {
        o->values = realloc(o->values, (size_t)count * sizeof *values);
        memcpy(o->values, values, (size_t)count * sizeof *values);
        o->count = count;
    }
    if (o->count != count) abort();
    for (int64_t i = 0; i < count; i++)
        if (values[i] > o->values[i]) o->values[i] = values[i];
    const int64_t round = o->round;
    if (o->arrived == o->options->nranks) {
        o->result = realloc(o->result, (size_t)count * sizeof *values);
        memcpy(o->result, o->values, (size_t)count * sizeof *values);
        o->arrived = 0, o->round++;
        pthread_cond_broadcast(&o->changed);
    }
    while (o->round == round && !o->broken) pthread_cond_wait(&o->changed, &o->lock);
    if (o->round == round) {
        pthread_mutex_unlock(&o->lock);
        return 1;
    }
    memcpy(values, o->result, (size_t)count * sizeof *values);
    pthread_mutex_unlock(&o->lock);
    return 0;
}

static void *live(void *context)
{
    person *p = context;
    const armilla_transport transport = {.size = sizeof transport,
                                         .rank = p->rank,
                                         .nranks = p->office->options->nranks,
                                         .context = p,
                                         .local_rank = p->rank,
                                         .takes_device_memory = p->office->options->copy != NULL,
                                         .start = start,
                                         .wait = wait_all,
                                         .largest = largest,
                                         .poke = poke};
    p->thread = pthread_self();
    p->result = p->office->work(&transport, p->office->work_context);
    return NULL;
}

int ranks_run_threads(const ranks_threads_options *options, ranks_work work, void *context)
{
    const int64_t n = options->nranks;
    office o = {.options = options, .work = work, .work_context = context};
    person *people = calloc((size_t)n, sizeof *people);
    pthread_t *threads = calloc((size_t)n, sizeof *threads);
    int failed = 0;
    o.letters = calloc((size_t)(n * n * SLOTS), sizeof *o.letters);
    if (!people || !threads || !o.letters) abort();
    pthread_mutex_init(&o.lock, NULL);
    pthread_cond_init(&o.changed, NULL);
    for (int64_t i = 0; i < n; i++) {
        people[i] = (person){.office = &o, .rank = i, .chance = 77u * (unsigned)i + 1u};
        if (pthread_create(&threads[i], NULL, live, &people[i])) abort();
    }
    for (int64_t i = 0; i < n; i++) pthread_join(threads[i], NULL);
    for (int64_t i = 0; i < n; i++) {
        failed += people[i].result != 0;
        for (int slot = 0; slot < SLOTS; slot++) forget(&people[i], slot);
    }
    for (int64_t i = 0; i < n * n * SLOTS; i++)
        if (o.letters[i].data && !options->fails_at) failed = -1;
    if (o.misused) failed = -1;
    if (options->calls) *options->calls = people[n - 1].calls;
    if (options->taken_early) *options->taken_early += o.taken_early;
    free(people);
    free(threads);
    free(o.letters);
    free(o.values);
    free(o.result);
    pthread_mutex_destroy(&o.lock);
    pthread_cond_destroy(&o.changed);
    return failed;
}
