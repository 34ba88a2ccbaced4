/* Lets the ranks of a command agree on exit codes and exchange small numbers, through the largest
 * of whole numbers, which is all that a transport offers besides messages. */
#include "ranks.h"

#include "message.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

enum { CODES = 16 /* exit codes are below */ };
enum { KINDS = 8 };
typedef enum step { AGREE, ANY, FROM_FIRST, ADD, EXCHANGE, CHECK_ALIKE } step; /* below KINDS */

static const armilla_transport *ranks; /* NULL: alone */
static void (*end_all)(int code);

void ranks_setup(const armilla_transport *transport, void (*abandon)(int code))
{
    ranks = transport;
    end_all = abandon;
}

const armilla_transport *ranks_transport(void)
{
    return ranks;
}

int ranks_is_first(void)
{
    return !ranks || ranks->rank == 0;
}

void ranks_abandon(void)
{
    progress_drop();
    message_settle(1);
    if (end_all) end_all(CLI_FAILED);
}

static void fail(const char *message)
{
    work_error("%s", message);
    ranks_abandon();
}

/* Numbers of different calls must not meet: ranks that are out of step are a defect, and end. */
static void find_largest(step kind, int64_t count, int64_t *values)
{
    int64_t call[2] = {KINDS * count + kind, -(KINDS * count + kind)};
    if (!ranks) return;
    int is_lost = ranks->largest(ranks->context, 2, call);
    if (!is_lost && call[0] != -call[1]) fail("ranks are out of step");
    if (!is_lost) is_lost = ranks->largest(ranks->context, count, values);
    if (is_lost) fail("messages between ranks failed");
}

int ranks_agree(int code)
{
    if (!ranks) return code;
    const int64_t mine = code ? (ranks->nranks - ranks->rank) * CODES + code : 0;
    int64_t worst = mine;
    find_largest(AGREE, 1, &worst);
    if (worst) message_settle(worst == mine);
    return (int)(worst % CODES);
}

int ranks_any(int is_true)
{
    int64_t value = is_true != 0;
    find_largest(ANY, 1, &value);
    return value != 0;
}

int64_t ranks_from_first(int64_t value)
{
    if (!ranks_is_first()) value = INT64_MIN;
    find_largest(FROM_FIRST, 1, &value);
    return value;
}

/* Value by value, so that memory does not grow with ranks times values. */
void ranks_add(int64_t count, int64_t *values)
{
    if (!ranks) return;
    int64_t *all = malloc((size_t)ranks->nranks * sizeof *all);
    if (!all) {
        memory_error();
        ranks_abandon();
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        for (int64_t rank = 0; rank < ranks->nranks; rank++) all[rank] = INT64_MIN;
        all[ranks->rank] = values[i];
        find_largest(ADD, ranks->nranks, all);
        values[i] = 0;
        for (int64_t rank = 0; rank < ranks->nranks; rank++) values[i] += all[rank];
    }
    free(all);
}

/* The bits of a double are a whole number, and INT64_MIN is the least of all. */
void ranks_exchange(int64_t count, const unsigned char *is_mine, double *values)
{
    const int64_t none = INT64_MIN;
    for (int64_t i = 0; i < count && ranks; i++)
        if (!is_mine[i]) memcpy(&values[i], &none, sizeof none);
    find_largest(EXCHANGE, count, (int64_t *)(void *)values);
}

int ranks_check_alike(int64_t value, const char *path, const char *what)
{
    int64_t ends[2] = {value, -value};
    find_largest(CHECK_ALIKE, 2, ends);
    if (ends[0] == -ends[1]) return CLI_OK;
    return work_error(
        "%s: %s differs from rank to rank, %lld to %lld: do all hosts see the same file?", path,
        what, (long long)-ends[1], (long long)ends[0]);
}
