/* Reads the text of a PTX file: tokens, declarations, functions. */
#include "ptx.h"

#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ptx
{
void fail(const char *format, ...)
{
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    throw fault(text);
}

/* --- Tokens ---------------------------------------------------------------------------------- */

struct token {
    std::string text;
    int line;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/* Words, strings, and signs of one character each. */
static std::vector<token> make_tokens(const std::string &text)
{
    std::vector<token> result;
    int line = 1;
    for (size_t i = 0; i < text.size();) {
        const size_t start = i;
        if (text[i] == '\n') line++;
        if (isspace((unsigned char)text[i])) {
            i++;
        } else if (text.compare(i, 2, "//") == 0) {
            i = std::min(text.find('\n', i), text.size());
        } else if (text.compare(i, 2, "/*") == 0) {
            const size_t end = std::min(text.find("*/", i) + 2, text.size());
            for (; i < end; i++) line += text[i] == '\n';
        } else if (text[i] == '"') {
            i = text.find('"', i + 1) + 1;
            if (!i) fail("line %d: a string without its end", line);
            result.push_back({text.substr(start, i - start), line});
        } else {
            while (i < text.size() && is_word(text[i])) i++;
            if (i == start) i++;
            result.push_back({text.substr(start, i - start), line});
        }
    }
    return result;
}

struct reader {
    std::vector<token> tokens;
    size_t at = 0;

    const std::string &look(size_t ahead = 0) const
    {
        static const std::string none;
        return at + ahead < tokens.size() ? tokens[at + ahead].text : none;
    }
    int line() const
    {
        return tokens.empty() ? 0 : tokens[std::min(at, tokens.size() - 1)].line;
    }
    bool is_done() const
    {
        return at >= tokens.size();
    }
    std::string take()
    {
        if (is_done()) fail("line %d: the text ends too early", line());
        return tokens[at++].text;
    }
    bool accept(const char *text)
    {
        if (look() != text) return false;
        at++;
        return true;
    }
    void expect(const char *text)
    {
        if (!accept(text)) fail("line %d: '%s' in the place of '%s'", line(), look().c_str(), text);
    }
    long long take_number()
    {
        const std::string word = take();
        char *end;
        const long long value = (long long)strtoull(word.c_str(), &end, 0);
        if (*end && *end != 'U') fail("line %d: '%s' is no number", line(), word.c_str());
        return value;
    }
    void skip_past(const char *text)
    {
        while (take() != text) continue;
    }
};

/* --- Variables ------------------------------------------------------------------------------- */

static size_t size_of_type(const std::string &type, int line)
{
    if (type == ".pred") return 1;
    const int bits = type.size() > 2 ? atoi(type.c_str() + 2) : 0;
    if (!strchr("busf", type.size() > 1 ? type[1] : '?') || bits < 8 || bits > 128)
        fail("line %d: the type '%s' is not known", line, type.c_str());
    return (size_t)bits / 8;
}

static void add_number(variable &v, uint64_t value, size_t width)
{
    for (size_t i = 0; i < width; i++) v.bytes.push_back((uint8_t)(value >> 8 * i));
}

static void read_start(reader &in, variable &v, size_t width)
{
    const bool is_list = in.accept("{");
    do {
        const bool is_negative = in.accept("-");
        const std::string word = in.look();
        uint64_t value;
        if (word.compare(0, 2, "0d") == 0 || word.compare(0, 2, "0f") == 0)
            value = strtoull(in.take().c_str() + 2, nullptr, 16);
        else
            value = (uint64_t)in.take_number();
        add_number(v, is_negative ? 0 - value : value, width);
    } while (is_list && in.accept(","));
    if (is_list) in.expect("}");
}

/* .space [.align n] .type name [[count]] [= values], but what follows. */
static variable read_variable(reader &in)
{
    variable v;
    size_t width = 0;
    while (in.look()[0] == '.') {
        const std::string word = in.take();
        if (word == ".align")
            v.alignment = (size_t)in.take_number();
        else if (word == ".extern")
            v.is_external = true;
        else if (word == ".global" || word == ".const" || word == ".shared" || word == ".local" ||
                 word == ".param")
            v.space = word;
        else if (word == ".visible" || word == ".weak" || word == ".common" || word == ".ptr")
            continue;
        else
            width = size_of_type(word, in.line());
    }
    v.name = in.take();
    v.size = width;
    if (v.alignment < width) v.alignment = width;
    if (in.accept("[")) {
        v.size = in.look() == "]" ? 0 : width * (size_t)in.take_number();
        in.expect("]");
    }
    if (in.accept("=")) read_start(in, v, width);
    return v;
}

static std::vector<variable> read_parameters(reader &in)
{
    std::vector<variable> result;
    if (!in.accept("(")) return result;
    while (!in.accept(")")) {
        result.push_back(read_variable(in));
        in.accept(",");
    }
    return result;
}

/* --- Statements ------------------------------------------------------------------------------ */

/* What lies between commas outside of brackets, to the semicolon; no spaces. */
static std::vector<std::string> read_operands(reader &in)
{
    std::vector<std::string> result;
    std::string now;
    int depth = 0;
    for (;;) {
        const std::string word = in.take();
        if (word == ";") break;
        if (strchr("([{", word[0])) depth++;
        if (strchr(")]}", word[0])) depth--;
        if (word == "," && depth == 0) {
            result.push_back(now);
            now.clear();
        } else {
            now += word;
        }
    }
    if (!now.empty()) result.push_back(now);
    return result;
}

static statement read_statement(reader &in)
{
    statement s;
    if (in.accept("@")) {
        s.is_negated = in.accept("!");
        s.guard = in.take();
    }
    s.line = in.line();
    s.opcode = in.take();
    while (in.accept(":")) s.opcode += in.take() + in.take();
    s.operands = read_operands(in);
    return s;
}

static void read_label(reader &in, function &f)
{
    const std::string name = in.take();
    in.expect(":");
    if (in.accept(".branchtargets"))
        f.branches[name] = read_operands(in);
    else if (!f.labels.emplace(name, f.body.size()).second)
        fail("line %d: a second label %s", in.line(), name.c_str());
}

/* Scopes in braces end nowhere: nvcc declares a name in several of them with the same type. */
static void read_body(reader &in, function &f)
{
    int depth = 1;
    while (depth) {
        const std::string &word = in.look();
        if (word == "{" || word == "}") {
            depth += in.take() == "{" ? 1 : -1;
        } else if (word == ".reg" || word == ".pragma") {
            in.skip_past(";");
        } else if (word == ".local" || word == ".shared" || word == ".param") {
            f.variables.push_back(read_variable(in));
            in.expect(";");
        } else if (in.look(1) == ":" && in.look(2) != ":") {
            read_label(in, f);
        } else if (word == ";") {
            in.take();
        } else {
            f.body.push_back(read_statement(in));
        }
    }
}

/* --- Functions and files --------------------------------------------------------------------- */

static void read_function(reader &in, module &result)
{
    function f;
    f.is_kernel = in.take() == ".entry";
    if (!f.is_kernel) f.results = read_parameters(in);
    f.name = in.take();
    f.parameters = read_parameters(in);
    while (in.look() != "{" && in.look() != ";") {
        if (in.take() != ".maxntid") continue;
        f.most_threads = (int)in.take_number();
        while (in.accept(",")) f.most_threads *= (int)in.take_number();
    }
    if (in.accept(";")) return; /* a declaration */
    in.expect("{");
    read_body(in, f);
    result.functions[f.name] = f;
}

module read_module(const std::string &text)
{
    module result;
    reader in;
    in.tokens = make_tokens(text);
    while (!in.is_done()) {
        const std::string &word = in.look();
        if (word == ".version" || word == ".address_size") {
            in.take(), in.take();
        } else if (word == ".target") {
            in.take();
            do in.take();
            while (in.accept(","));
        } else if (word == ".visible" || word == ".weak") {
            in.take();
        } else if (word == ".entry" || word == ".func" ||
                   (word == ".extern" && in.look(1) == ".func")) {
            in.accept(".extern");
            read_function(in, result);
        } else if (word == ".extern" || word == ".global" || word == ".const" ||
                   word == ".shared") {
            result.variables.push_back(read_variable(in));
            in.expect(";");
        } else {
            fail("line %d: '%s' is not known", in.line(), word.c_str());
        }
    }
    return result;
}
} // namespace ptx
