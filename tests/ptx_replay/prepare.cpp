/* Makes operations of PTX statements: registers, constants and addresses get numbers, names of
 * places become places, calls become the bodies of what they call. Parameters of functions are
 * registers as well, one for each offset at which one is stored. */
#include "program.h"

#include <cstdlib>
#include <cstring>

namespace ptx
{
/* A function's text within the kernel: itself, or one of the places that it is called from. */
struct scope {
    std::string prefix; /* of its names */
    const function *text;
    std::map<std::string, std::string> aliases; /* parameters: names in the caller's scope */
    std::map<std::string, uint64_t> addresses;  /* of variables */
};

struct jump_place {
    size_t code;
    int entry; /* of a table; -1: a jump */
    std::string label;
};

struct maker {
    const module &from;
    program &to;
    std::map<std::string, int> registers, names;
    std::map<slot, int> constants;
    std::map<std::string, uint64_t> addresses; /* of the file's variables */
    std::map<std::string, int> labels;
    std::vector<jump_place> jumps;
    int calls = 0;

    int register_of(const std::string &name)
    {
        const auto made = registers.emplace(name, to.registers);
        if (made.second) to.registers++;
        return made.first->second;
    }
    int constant_of(slot value)
    {
        const auto made = constants.emplace(value, to.registers);
        if (made.second) to.constants.push_back({to.registers++, value});
        return made.first->second;
    }
    int name_of(const std::string &opcode)
    {
        const auto made = names.emplace(opcode, (int)to.names.size());
        if (made.second) to.names.push_back(opcode);
        return made.first->second;
    }
};

static void make_function(maker &m, const scope &s);

/* --- Operands --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    special number;
} specials[] = {
    {"%tid.x", TID_X},       {"%tid.y", TID_Y},       {"%tid.z", TID_Z},
    {"%ntid.x", NTID_X},     {"%ntid.y", NTID_Y},     {"%ntid.z", NTID_Z},
    {"%ctaid.x", CTAID_X},   {"%ctaid.y", CTAID_Y},   {"%ctaid.z", CTAID_Z},
    {"%nctaid.x", NCTAID_X}, {"%nctaid.y", NCTAID_Y}, {"%nctaid.z", NCTAID_Z},
    {"%laneid", LANEID},     {"%warpid", WARPID},     {"%lanemask_lt", LANEMASK_LT},
    {"%clock64", CLOCK},     {"%clock", CLOCK},
};

static bool find_address(const maker &m, const scope &s, const std::string &name, uint64_t &address)
{
    for (const auto *all : {&s.addresses, &m.addresses}) {
        const auto found = all->find(name);
        if (found == all->end()) continue;
        address = found->second;
        return true;
    }
    return false;
}

/* A number, or a name's address, and what is added to it. */
static slot number_of(const maker &m, const scope &s, const std::string &text, int line)
{
    const size_t plus = text.find('+');
    const std::string name = text.substr(0, plus);
    uint64_t address;
    if (text.compare(0, 2, "0d") == 0 || text.compare(0, 2, "0f") == 0)
        return strtoull(text.c_str() + 2, nullptr, 16);
    if (find_address(m, s, name, address))
        return address + (plus == std::string::npos ? 0 : strtoull(&text[plus + 1], nullptr, 0));
    char *end;
    const bool is_negative = text[0] == '-';
    const slot value = strtoull(text.c_str() + is_negative, &end, 0);
    if ((*end && *end != 'U') || end == text.c_str())
        fail("line %d: '%s' is not known", line, text.c_str());
    return is_negative ? 0 - value : value;
}

static int operand_of(maker &m, const scope &s, const std::string &text, int line)
{
    if (text[0] != '%' && text != "_") return m.constant_of(number_of(m, s, text, line));
    for (const auto &known : specials)
        if (text == known.name) return known.number;
    return m.register_of(s.prefix + text);
}

/* {a,b} or a|b: each of them. */
static std::vector<std::string> parts_of(const std::string &text)
{
    std::vector<std::string> result(1);
    for (char c : text) {
        if (strchr("{}()", c)) continue;
        if (c == ',' || c == '|')
            result.emplace_back();
        else
            result.back() += c;
    }
    if (result.back().empty()) result.pop_back();
    return result;
}

static void add_targets(maker &m, const scope &s, const statement &t, operation &o)
{
    size_t count = 0;
    for (const std::string &part : parts_of(t.operands.at(0))) {
        if (count == 4) fail("line %d: more than four results", t.line);
        if (part[0] != '%' && part != "_")
            fail("line %d: '%s' is no register", t.line, part.c_str());
        o.to[count++] = operand_of(m, s, part, t.line);
    }
}

static void add_sources(maker &m, const scope &s, const statement &t, size_t first, operation &o)
{
    size_t count = 0;
    while (count < MOST_SOURCES && o.from[count] >= 0) count++;
    for (size_t i = first; i < t.operands.size(); i++)
        for (const std::string &part : parts_of(t.operands[i])) {
            if (count == MOST_SOURCES) fail("line %d: more than ten sources", t.line);
            o.from[count++] = operand_of(m, s, part, t.line);
        }
}

/* --- Loads and stores ------------------------------------------------------------------------- */

/* [base+offset] */
static void split_address(const statement &t, const std::string &text, std::string &base,
                          int64_t &offset)
{
    if (text.size() < 3 || text[0] != '[')
        fail("line %d: '%s' is no address", t.line, text.c_str());
    base = text.substr(1, text.size() - 2);
    offset = 0;
    const size_t plus = base.find('+');
    if (plus == std::string::npos) return;
    offset = strtoll(base.c_str() + plus + 1, nullptr, 0);
    base.resize(plus);
}

/* The register of a function's parameter there, or of what it is called with; -1: it is none. */
static int parameter_register(maker &m, const scope &s, const std::string &base, int64_t offset)
{
    std::string name;
    const auto alias = s.aliases.find(base);
    if (alias != s.aliases.end()) name = alias->second;
    for (const variable &v : s.text->variables)
        if (v.space == ".param" && v.name == base) name = s.prefix + base;
    return name.empty() ? -1 : m.register_of(name + "+" + std::to_string(offset));
}

static void make_access(maker &m, const scope &s, const statement &t, operation &o)
{
    const bool is_load = t.opcode[0] == 'l'; /* ldmatrix, too */
    std::string base;
    split_address(t, t.operands.at(is_load ? 1 : 0), base, o.offset);
    const int parameter =
        o.where == space::parameter ? parameter_register(m, s, base, o.offset) : -1;
    if (is_load) add_targets(m, s, t, o);
    if (parameter >= 0) { /* a move */
        const std::string move = "mov.b" + std::to_string(8 * o.width);
        if (o.count != 1 || !choose_action(o.width == 1 ? "cvt.u8.u8" : move, o))
            fail("line %d: parameters by %d", t.line, o.count);
        if (is_load)
            o.from[0] = parameter;
        else
            o.to[0] = parameter, add_sources(m, s, t, 1, o);
        return;
    }
    o.from[0] = operand_of(m, s, base, t.line);
    if (!is_load) add_sources(m, s, t, 1, o);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* call.uni (results), name, (parameters) */
static void make_call(maker &m, const scope &s, const statement &t)
{
    if (!t.guard.empty()) fail("line %d: a call with a guard", t.line);
    const bool has_result = t.operands.at(0)[0] == '(';
    const std::string name = t.operands.at(has_result);
    const auto found = m.from.functions.find(name);
    if (found == m.from.functions.end()) fail("line %d: no function %s", t.line, name.c_str());
    scope callee = {
        s.prefix + name + "#" + std::to_string(m.calls++) + ":", &found->second, {}, {}};
    const auto join = [&](const std::vector<variable> &own, size_t operand) {
        if (own.empty()) return;
        const std::vector<std::string> given = parts_of(t.operands.at(operand));
        if (given.size() != own.size()) fail("line %d: parameters of %s", t.line, name.c_str());
        for (size_t i = 0; i < own.size(); i++) callee.aliases[own[i].name] = s.prefix + given[i];
    };
    if (has_result) join(found->second.results, 0);
    join(found->second.parameters, has_result + 1u);
    make_function(m, callee);
    m.labels[callee.prefix + "end"] = (int)m.to.code.size();
}

/* --- Statements ------------------------------------------------------------------------------- */

/* mov.b64 %rd1, {%r1, %r2} and its like in the other direction. */
static std::string plain_opcode(const statement &t)
{
    if (t.opcode.compare(0, 5, "mov.b") != 0 || t.operands.size() != 2) return t.opcode;
    const std::string bits = t.opcode.substr(5);
    if (t.operands[0][0] == '{') return "split." + bits;
    return t.operands[1][0] == '{' ? "join." + bits : t.opcode;
}

static void make_jump(maker &m, const scope &s, const statement &t, operation &o)
{
    if (o.what == flow::jump) {
        m.jumps.push_back({m.to.code.size(), -1, s.prefix + t.operands.at(0)});
        return;
    }
    o.from[0] = operand_of(m, s, t.operands.at(0), t.line);
    o.target = (int)m.to.tables.size();
    const auto found = s.text->branches.find(t.operands.at(1));
    if (found == s.text->branches.end()) fail("line %d: no such table", t.line);
    m.to.tables.push_back(std::vector<int>(found->second.size()));
    for (size_t i = 0; i < found->second.size(); i++)
        m.jumps.push_back({m.to.code.size(), (int)i, s.prefix + found->second[i]});
}

static bool takes_carry(const std::string &opcode)
{
    const std::string start = opcode.substr(0, 4);
    return start == "addc" || start == "subc" || start == "madc";
}

static bool has_carry(const std::string &opcode)
{
    return opcode.find(".cc") != std::string::npos || takes_carry(opcode);
}

/* Carries are a register; what begins a chain takes none. */
static void add_carry(maker &m, const scope &s, const std::string &opcode, operation &o)
{
    const int carry = m.register_of(s.prefix + "carry");
    size_t count = 0;
    while (count < MOST_SOURCES && o.from[count] >= 0) count++;
    o.from[count] = takes_carry(opcode) ? carry : m.constant_of(0);
    o.to[1] = carry;
}

static void make_statement(maker &m, const scope &s, const statement &t)
{
    if (t.opcode.compare(0, 4, "call") == 0) {
        make_call(m, s, t);
        return;
    }
    operation o;
    const std::string opcode = plain_opcode(t);
    if (!choose_action(opcode, o)) fail("line %d: %s is not known", t.line, opcode.c_str());
    o.line = t.line, o.name = m.name_of(opcode), o.is_negated = t.is_negated;
    if (!t.guard.empty()) o.guard = operand_of(m, s, t.guard, t.line);
    const bool is_function = !s.text->is_kernel;
    if (o.what == flow::jump || o.what == flow::table) {
        make_jump(m, s, t, o);
    } else if (opcode.compare(0, 3, "ret") == 0 && is_function) {
        o.what = flow::jump;
        m.jumps.push_back({m.to.code.size(), -1, s.prefix + "end"});
    } else if (opcode.compare(0, 3, "ld.") == 0 || opcode.compare(0, 3, "st.") == 0 ||
               opcode.compare(0, 9, "ldmatrix.") == 0) {
        make_access(m, s, t, o);
    } else if (o.what == flow::barrier || opcode == "bar.warp.sync") {
        add_sources(m, s, t, 0, o);
    } else if (!t.operands.empty() && o.act) {
        add_targets(m, s, t, o);
        add_sources(m, s, t, 1, o);
        if (has_carry(opcode)) add_carry(m, s, opcode, o);
    }
    m.to.code.push_back(o);
}

static void make_function(maker &m, const scope &outer)
{
    scope s = outer;
    for (const variable &v : s.text->variables) {
        size_t &used = v.space == ".shared" ? m.to.shared_bytes : m.to.local_bytes;
        if (v.space == ".param") continue;
        used = (used + v.alignment - 1) / v.alignment * v.alignment;
        s.addresses[v.name] = (v.space == ".shared" ? SHARED_START : LOCAL_START) + used;
        used += v.size;
    }
    std::map<size_t, std::vector<std::string>> labels;
    for (const auto &label : s.text->labels) labels[label.second].push_back(label.first);
    for (size_t i = 0; i <= s.text->body.size(); i++) {
        for (const std::string &label : labels[i])
            m.labels[s.prefix + label] = (int)m.to.code.size();
        if (i < s.text->body.size()) make_statement(m, s, s.text->body[i]);
    }
}

/* --- Kernels ---------------------------------------------------------------------------------- */

/* Tables of numbers, and shared memory: the launch's begins where that of the file ends. */
static void place_variables(maker &m)
{
    for (const variable &v : m.from.variables) {
        const auto round_up = [&](size_t n) {
            return (n + v.alignment - 1) / v.alignment * v.alignment;
        };
        if (v.space == ".shared") {
            if (!v.is_external) continue;
            m.addresses[v.name] = SHARED_START;
            continue;
        }
        std::vector<uint8_t> &all = m.to.tables_of_numbers;
        all.resize(round_up(all.size()));
        m.addresses[v.name] = CONSTANT_WINDOW + all.size();
        const size_t end = all.size() + v.size;
        all.insert(all.end(), v.bytes.begin(), v.bytes.end());
        all.resize(end);
    }
}

static void place_arguments(maker &m, scope &s)
{
    for (const variable &v : s.text->parameters) {
        size_t &used = m.to.argument_bytes;
        used = (used + v.alignment - 1) / v.alignment * v.alignment;
        m.to.arguments.push_back({used, v.size});
        s.addresses[v.name] = PARAMETER_WINDOW + used;
        used += v.size;
    }
}

static void resolve_jumps(maker &m)
{
    for (const jump_place &j : m.jumps) {
        const auto found = m.labels.find(j.label);
        if (found == m.labels.end()) fail("no place %s", j.label.c_str());
        operation &o = m.to.code[j.code];
        if (j.entry < 0)
            o.target = found->second;
        else
            m.to.tables[(size_t)o.target][(size_t)j.entry] = found->second;
    }
}

program prepare(const module &from, const std::string &kernel)
{
    program p;
    maker m = {from, p, {}, {}, {}, {}, {}, {}, 0};
    const auto found = from.functions.find(kernel);
    if (found == from.functions.end()) fail("no kernel %s", kernel.c_str());
    scope s = {"", &found->second, {}, {}};
    p.name = kernel, p.most_threads = found->second.most_threads;
    place_variables(m);
    place_arguments(m, s);
    make_function(m, s);
    operation end;
    end.what = flow::end, end.name = m.name_of("end");
    p.code.push_back(end);
    resolve_jumps(m);
    watch_registers(p);
    return p;
}
} // namespace ptx
