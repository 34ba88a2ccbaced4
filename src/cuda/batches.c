/* Batches are as large as memory allows, so that stages have few launches; where stages run on two
 * streams they are small enough that there are several, and whole groups of the sets that share a
 * recurrence. */
#include "cuda/batches.h"

#include "base/integer.h"
#include "cuda/call.h"

/* Sets of a batch: a launch has them in one dimension of its grid, of 16 bits. */
enum { MOST_SETS = 32768 };

const armilla_cuda_flow *armilla_cuda_choose_flow(const armilla_cuda_transform *t, int weighted)
{
    return weighted && t->weighted_flow.legendre ? &t->weighted_flow : &t->flow;
}

/* --- Memory ----------------------------------------------------------------------------------- */

int armilla_cuda_leg_has_floats(const armilla_cuda_flow *flow, const armilla_cuda_way *way)
{
    return way->is_float && !flow->theta &&
           flow->problem.precision.of_floats != ARMILLA_CUDA_IN_DOUBLE;
}

static int64_t leg_bytes(const armilla_cuda_flow *flow, const armilla_cuda_way *way, int64_t nsets)
{
    return (armilla_cuda_leg_has_floats(flow, way) ? 4 : 8) * flow->problem.passes->size * nsets;
}

armilla_cuda_sizes armilla_cuda_sizes_of(const armilla_cuda_transform *t,
                                         const armilla_cuda_way *way,
                                         const armilla_cuda_batches *batches)
{
    const armilla_cuda_flow *flow = armilla_cuda_choose_flow(t, way->weighted);
    const int64_t nsets = t->problem.nmap * batches->batch;
    const armilla_cuda_flow_scratch of =
        armilla_cuda_flow_scratch_of(flow, nsets, way->to_map, t->most);
    const int two = batches->streams > 1;
    return (armilla_cuda_sizes){
        .leg = armilla_cuda_round_part(leg_bytes(flow, way, nsets)),
        .scratch = armilla_cuda_round_part(two ? of.orders : armilla_larger(of.orders, of.rings)),
        .rings = two ? armilla_cuda_round_part(of.rings) : 0};
}

/* Has the scratch of so many transforms at once room, on one stream as far as that of one has?
 * Stages with a bound take some of the sets after the others; what an order of the Legendre stage
 * needs has none. */
static int has_room(const armilla_cuda_transform *t, const armilla_cuda_way *way, int streams,
                    int64_t batch)
{
    const armilla_cuda_batches one = {1, streams}, all = {batch, streams};
    const armilla_cuda_sizes of_one = armilla_cuda_sizes_of(t, way, &one);
    const armilla_cuda_sizes of_all = armilla_cuda_sizes_of(t, way, &all);
    const int64_t least = streams > 1 ? 0 : of_one.scratch;
    return of_all.scratch + of_all.rings <= armilla_larger(t->most, least);
}

/* As many transforms at once as have room. 0: legs have none, or scratch on two streams. */
static int64_t most_at_once(const armilla_cuda_transform *t, const armilla_cuda_way *way,
                            int streams, int64_t ntrans)
{
    const armilla_cuda_flow *flow = armilla_cuda_choose_flow(t, way->weighted);
    const int64_t legs = armilla_larger(1, streams * leg_bytes(flow, way, t->problem.nmap));
    int64_t batch = armilla_smaller(t->most / legs, MOST_SETS / t->problem.nmap);
    batch = armilla_smaller(batch, ntrans);
    while (batch > 0 && !has_room(t, way, streams, batch)) batch /= 2;
    return batch;
}

/* --- Batches ---------------------------------------------------------------------------------- */

static int64_t round_up(int64_t n, int64_t group)
{
    return (n + group - 1) / group * group;
}

/* Transforms whose sets share a recurrence. */
static int64_t group_of(const armilla_cuda_transform *t, const armilla_cuda_way *way)
{
    enum { SETS = 4 };
    const armilla_cuda_flow *flow = armilla_cuda_choose_flow(t, way->weighted);
    const int halves = way->is_float && flow->problem.precision.of_floats == ARMILLA_CUDA_IN_HALVES;
    return armilla_larger(1, (halves ? ARMILLA_CUDA_HALVES_SETS : SETS) / t->problem.nmap);
}

/* Batches of one size but for the last one: as few as `most` transforms at once make, or a few more
 * of whole groups. */
static int64_t even_batches(int64_t ntrans, int64_t most, int64_t group)
{
    const int64_t batches = (ntrans + most - 1) / most;
    const int64_t even = (ntrans + batches - 1) / batches, round = round_up(even, group);
    if (batches == 1) return ntrans;
    return round <= most ? round : most >= group ? most / group * group : even;
}

/* The batch of a call on two streams; 0: it has one stream. Some eight batches leave a sixteenth of
 * the call in which a stage is alone. A batch takes 0.1 ms and more, by the bytes of its legs, so
 * that its launches do not matter; and it is not cut into parts of groups, since what is made twice
 * then takes longer than what runs beside it saves. All of it is counted, and not measured. Ranks
 * wait for each other, and have one stream. */
static int64_t batch_of_two(const armilla_cuda_transform *t, const armilla_cuda_way *way,
                            int64_t ntrans)
{
    enum { BATCHES = 8 };
    const int64_t least_bytes = INT64_C(64) << 20;
    const armilla_cuda_flow *flow = armilla_cuda_choose_flow(t, way->weighted);
    const int64_t leg = armilla_larger(1, leg_bytes(flow, way, t->problem.nmap));
    const int64_t group = group_of(t, way);
    const int forced = t->problem.streams == 2;
    if (t->problem.streams == 1 || t->problem.places || ntrans < 2) return 0;
    const int64_t eighth = armilla_larger((ntrans + BATCHES - 1) / BATCHES,
                                          forced ? 1 : (least_bytes + leg - 1) / leg);
    const int64_t wanted = round_up(eighth, group);
    const int64_t most = most_at_once(t, way, 2, armilla_smaller(wanted, ntrans));
    const int64_t batch = most / group * group;
    if (batch > 0 && 2 * batch <= ntrans && (forced || batch * leg >= least_bytes)) return batch;
    return forced ? armilla_smaller(most, (ntrans + 1) / 2) : 0;
}

armilla_cuda_batches armilla_cuda_batches_of(const armilla_cuda_transform *t,
                                             const armilla_cuda_way *way, int64_t ntrans)
{
    const int64_t of_two = batch_of_two(t, way, ntrans), group = group_of(t, way);
    if (of_two) return (armilla_cuda_batches){even_batches(ntrans, of_two, group), 2};
    const int64_t most = most_at_once(t, way, 1, ntrans);
    return (armilla_cuda_batches){most > 1 ? even_batches(ntrans, most, group) : 1, 1};
}
