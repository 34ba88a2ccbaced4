/* Sequences of threads and blocks, and what the environment says. */
#include "machine.h"

#include <cstdlib>
#include <cstring>

namespace emulation
{
static cuda_emulation_order order;
static uint64_t random_state;

static void set(cuda_emulation_order wanted, uint64_t seed)
{
    order = wanted;
    random_state = seed * 2 + 1; /* not 0 */
}

static uint64_t next_random() /* xorshift64*, Vigna 2016 */
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 2685821657736338717u;
}

/* Before the first use, and only once. */
static void read_environment()
{
    static bool done;
    if (done) return;
    done = true;
    const char *text = getenv("ARMILLA_EMULATION_ORDER");
    if (!text || !strcmp(text, "forward"))
        set(CUDA_EMULATION_FORWARD, 0);
    else if (!strcmp(text, "reversed"))
        set(CUDA_EMULATION_REVERSED, 0);
    else if (!strncmp(text, "random:", 7))
        set(CUDA_EMULATION_RANDOM, strtoull(text + 7, nullptr, 10));
    else
        fail("ARMILLA_EMULATION_ORDER=%s: must be forward, reversed or random:SEED", text);
}

void make_sequence(int64_t count, std::vector<int64_t> &sequence)
{
    read_environment();
    sequence.resize((size_t)count);
    for (int64_t i = 0; i < count; i++)
        sequence[(size_t)i] = order == CUDA_EMULATION_REVERSED ? count - 1 - i : i;
    if (order != CUDA_EMULATION_RANDOM) return;
    for (int64_t i = count - 1; i > 0; i--)
        std::swap(sequence[(size_t)i], sequence[next_random() % (uint64_t)(i + 1)]);
}
void renew_sequence(int64_t count, std::vector<int64_t> &sequence)
{
    if (order == CUDA_EMULATION_RANDOM) make_sequence(count, sequence);
}
} // namespace emulation

void cuda_emulation_set_order(cuda_emulation_order order, uint64_t seed)
{
    const emulation::guard lock(emulation::everything);
    emulation::read_environment();
    emulation::set(order, seed);
}
