/* Finds which registers of a PTX kernel have a value wherever they are read, whatever way a lane
 * has come: only operations with other sources look, when they run, whether those have one. */
#include "program.h"

#include <algorithm>

namespace ptx
{
typedef std::vector<uint64_t> bits;

struct stretch {
    int first, behind;     /* operations */
    std::vector<int> next; /* stretches */
    bits before;           /* registers that have a value when it begins */
    bool is_reached = false;
};

static std::vector<int> successors(const program &p, int i)
{
    const operation &o = p.code[(size_t)i];
    std::vector<int> result;
    if (o.what == flow::jump) result.push_back(o.target);
    if (o.what == flow::table) result = p.tables[(size_t)o.target];
    const bool leaves = o.what == flow::jump || o.what == flow::table || o.what == flow::end ||
                        o.what == flow::trap;
    if ((!leaves || o.guard >= 0) && i + 1 < (int)p.code.size()) result.push_back(i + 1);
    return result;
}

static std::vector<stretch> make_stretches(const program &p)
{
    const int count = (int)p.code.size();
    std::vector<int> number((size_t)count + 1, 0);
    for (int i = 0; i < count; i++) {
        if (p.code[(size_t)i].what == flow::next) continue;
        for (int next : successors(p, i)) number[(size_t)next] = 1;
        number[(size_t)i + 1] = 1;
    }
    number[0] = 1;
    std::vector<stretch> result;
    for (int i = 0; i < count; i++) {
        if (number[(size_t)i]) result.push_back({i, i, {}, {}});
        number[(size_t)i] = (int)result.size() - 1;
        result.back().behind = i + 1;
    }
    for (stretch &s : result)
        for (int next : successors(p, s.behind - 1)) s.next.push_back(number[(size_t)next]);
    return result;
}

static bool has(const bits &given, int source)
{
    return source < 0 || (given[(size_t)source / 64] >> source % 64 & 1);
}

/* What has a value after the operation. */
static void give(const operation &o, bits &given)
{
    const bool moves_nothing = o.is_move && !has(given, o.from[0]);
    for (int to : o.to) {
        if (to < 0) continue;
        const uint64_t bit = (uint64_t)1 << to % 64;
        if (moves_nothing)
            given[(size_t)to / 64] &= ~bit;
        else if (o.guard < 0)
            given[(size_t)to / 64] |= bit;
    }
}

/* Registers that have a value on all ways to a stretch. */
static void follow(const program &p, std::vector<stretch> &all)
{
    std::vector<int> waiting = {0};
    while (!waiting.empty()) {
        const stretch now = all[(size_t)waiting.back()];
        waiting.pop_back();
        bits behind = now.before;
        for (int i = now.first; i < now.behind; i++) give(p.code[(size_t)i], behind);
        for (int next : now.next) {
            stretch &s = all[(size_t)next];
            bits before = s.before;
            for (size_t i = 0; i < before.size(); i++)
                before[i] = s.is_reached ? before[i] & behind[i] : behind[i];
            if (s.is_reached && before == s.before) continue;
            s.before = before, s.is_reached = true;
            waiting.push_back(next);
        }
    }
}

/* Registers that an operation reads and that may lack a value there. */
static void watch(program &p, const stretch &s, std::vector<char> &unsure)
{
    bits given = s.before;
    for (int i = s.first; i < s.behind; i++) {
        operation &o = p.code[(size_t)i];
        const auto look = [&](int source) {
            if (has(given, source)) return;
            unsure[(size_t)source] = 1;
            if (!o.is_move || source == o.guard) o.is_watched = true;
        };
        look(o.guard);
        for (int source : o.from) look(source);
        give(o, given);
    }
}

static void note_registers(program &p, const std::vector<char> &unsure)
{
    for (int r = 0; r < p.registers; r++)
        if (unsure[(size_t)r]) p.unsure.push_back(r);
    for (operation &o : p.code)
        for (int to : o.to) o.is_noted = o.is_noted || (to >= 0 && unsure[(size_t)to]);
}

void watch_registers(program &p)
{
    std::vector<stretch> all = make_stretches(p);
    const size_t words = (size_t)p.registers / 64 + 1;
    for (stretch &s : all) s.before.assign(words, 0);
    const auto set = [&](int r) { all[0].before[(size_t)r / 64] |= (uint64_t)1 << r % 64; };
    for (int i = 0; i < SPECIALS; i++) set(i);
    for (const auto &c : p.constants) set(c.first);
    all[0].is_reached = true;
    follow(p, all);
    std::vector<char> unsure((size_t)p.registers, 0);
    for (const stretch &s : all) watch(p, s, unsure);
    note_registers(p, unsure);
}
} // namespace ptx
