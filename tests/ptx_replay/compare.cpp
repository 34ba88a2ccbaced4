/* Comparisons of the PTX interpreter: setp.lt.f64 and, with a second predicate, setp.lt.and.f64. */
#include "actions.h"

#include <cmath>

namespace ptx
{
/* With a u behind: true as well if one is no number. Integers without a sign have names of their
 * own: lo, ls, hi, hs. */
enum comparison : uint8_t { EQ, NE, LT, LE, GT, GE, NUM, NAN_, UNORDERED = 8 };
enum connective : uint8_t { NONE = 0, AND = 16, OR = 32, XOR = 48, CONNECTIVES = 48 };

static const struct {
    const char *word;
    uint8_t kind;
} words_of_kinds[] = {
    {"eq", EQ},
    {"ne", NE},
    {"lt", LT},
    {"le", LE},
    {"gt", GT},
    {"ge", GE},
    {"lo", LT},
    {"ls", LE},
    {"hi", GT},
    {"hs", GE},
    {"num", NUM},
    {"nan", NAN_},
    {"equ", EQ | UNORDERED},
    {"neu", NE | UNORDERED},
    {"ltu", LT | UNORDERED},
    {"leu", LE | UNORDERED},
    {"gtu", GT | UNORDERED},
    {"geu", GE | UNORDERED},
    {"and", AND},
    {"or", OR},
    {"xor", XOR},
};

template <typename T> static bool is_unordered(T a, T b)
{
    return a != a || b != b;
}

template <typename T> static bool compare(uint8_t kind, T a, T b)
{
    if (is_unordered(a, b)) return (kind & UNORDERED) || kind == NAN_;
    switch (kind & 7) {
    case EQ:
        return a == b;
    case NE:
        return a != b;
    case LT:
        return a < b;
    case LE:
        return a <= b;
    case GT:
        return a > b;
    case GE:
        return a >= b;
    default:
        return kind == NUM;
    }
}

static bool connect(uint8_t kind, bool a, bool b)
{
    return kind == NONE || kind == AND ? a && b : kind == OR ? a || b : a != b;
}

/* p | q = (a ? b) connected with c | (not (a ? b)) connected with c. */
template <typename T> static void set_predicate(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]), *b = w.value(o.from[1]);
    slot *p = w.result(o.to[0]), *q = o.to[1] < 0 ? nullptr : w.result(o.to[1]);
    const slot *c = o.from[2] < 0 ? nullptr : w.value(o.from[2]);
    const uint8_t kind = o.kind & 15, joined = o.kind & CONNECTIVES;
    for_lanes(lanes, [=](int l) {
        const bool is_so = compare<T>(kind, as<T>(a[l]), as<T>(b[l]));
        const bool third = c ? c[l] != 0 : true;
        p[l] = connect(joined, is_so, third);
        if (q) q[l] = connect(joined, !is_so, third);
    });
}

static action predicate_of(const std::string &type)
{
    if (type == "f32") return set_predicate<float>;
    if (type == "f64") return set_predicate<double>;
    if (type == "s16") return set_predicate<int16_t>;
    if (type == "u16" || type == "b16") return set_predicate<uint16_t>;
    if (type == "s32") return set_predicate<int32_t>;
    if (type == "u32" || type == "b32") return set_predicate<uint32_t>;
    if (type == "s64") return set_predicate<int64_t>;
    if (type == "u64" || type == "b64") return set_predicate<uint64_t>;
    return nullptr;
}

/* words: setp, comparison, perhaps connective, type. */
bool choose_comparison(const std::vector<std::string> &words, operation &o)
{
    o.act = predicate_of(words.back());
    o.kind = 0;
    for (size_t i = 1; i + 1 < words.size(); i++) {
        bool is_known = false;
        for (const auto &k : words_of_kinds)
            if (words[i] == k.word) o.kind |= k.kind, is_known = true;
        if (!is_known) return false;
    }
    return o.act && words.size() > 2;
}
} // namespace ptx
