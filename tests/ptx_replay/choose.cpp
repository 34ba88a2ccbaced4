/* Finds what a PTX opcode does: in the tables of all files, or here if it is no arithmetic. */
#include "actions.h"

#include <algorithm>

namespace ptx
{
static actions make_table()
{
    actions table;
    add_arithmetic(table);
    add_logic(table);
    add_conversions(table);
    add_meetings(table);
    return table;
}

static std::vector<std::string> split_words(const std::string &opcode)
{
    std::vector<std::string> words;
    size_t start = 0;
    for (size_t dot; (dot = opcode.find('.', start)) != std::string::npos; start = dot + 1)
        words.push_back(opcode.substr(start, dot - start));
    words.push_back(opcode.substr(start));
    return words;
}

/* --- Addresses -------------------------------------------------------------------------------- */

template <uint64_t WINDOW, bool IS_GENERIC>
static void change_window(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]);
    slot *to = w.result(o.to[0]);
    for_lanes(lanes, [=](int l) { to[l] = IS_GENERIC ? a[l] + WINDOW : a[l] - WINDOW; });
}

/* Constants and arguments have their window in any case. */
static action address_change(const std::vector<std::string> &words)
{
    const bool is_back = words[1] == "to";
    const std::string &where = words[is_back ? 2 : 1];
    if (where == "shared")
        return is_back ? change_window<SHARED_WINDOW, false> : change_window<SHARED_WINDOW, true>;
    if (where == "local")
        return is_back ? change_window<LOCAL_WINDOW, false> : change_window<LOCAL_WINDOW, true>;
    return change_window<0, true>;
}

static void give_active(warp &w, const operation &o, uint32_t lanes)
{
    slot *to = w.result(o.to[0]);
    for_lanes(lanes, [=](int l) { to[l] = lanes; });
}

/* --- Sequence --------------------------------------------------------------------------------- */

static const struct {
    const char *opcode;
    flow what;
} sequence_opcodes[] = {
    {"bra", flow::jump},
    {"bra.uni", flow::jump},
    {"brx.idx", flow::table},
    {"brx.idx.uni", flow::table},
    {"ret", flow::end},
    {"ret.uni", flow::end},
    {"exit", flow::end},
    {"trap", flow::trap},
    {"bar.sync", flow::barrier},
    {"barrier.sync", flow::barrier},
    {"barrier.sync.aligned", flow::barrier},
};

static bool choose_sequence(const std::string &opcode, operation &o)
{
    for (const auto &s : sequence_opcodes)
        if (opcode == s.opcode) {
            o.what = s.what;
            return true;
        }
    return false;
}

static bool is_meeting(const std::vector<std::string> &words)
{
    return words[0] == "shfl" || words[0] == "vote" || words[0] == "match" || words[0] == "mma" ||
           (words[0] == "bar" && words[1] == "warp");
}

bool choose_action(const std::string &opcode, operation &o)
{
    static const actions table = make_table();
    const std::vector<std::string> words = split_words(opcode);
    if (choose_sequence(opcode, o)) return true;
    if (words[0] == "ld" || words[0] == "st") return choose_access(words, o);
    if (words[0] == "ldmatrix") return choose_matrices(words, o);
    if (words[0] == "setp") return choose_comparison(words, o);
    if (words[0] == "membar" || words[0] == "fence")
        return true; /* lanes see each other's stores */
    if (words[0] == "cvta") {
        o.act = address_change(words);
        return true;
    }
    if (opcode == "activemask.b32") {
        o.act = give_active;
        return true;
    }
    const auto found = table.find(opcode);
    if (found == table.end()) return false;
    o.act = found->second;
    if (is_meeting(words)) o.what = flow::meet;
    if (words[0] == "mma") o.kind = NO_MASK;
    o.is_move = words[0] == "mov";
    return true;
}
} // namespace ptx
