/* Reads formulas of maps by recursive descent into postfix steps, and works the steps out on
 * vectors of pixels. Grammar, from the loosest: comparison, sum, product, sign, power (to the
 * right), and then numbers, maps, functions and parentheses. */
#include "formula.h"

#include "message.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 'n', MAP = 'm', AT_MOST = 'l', AT_LEAST = 'g', EQUAL = '=', UNEQUAL = '!' };
enum { NEGATIVE = 256, SQRT, ABS, EXP, LOG, LOG10, SIN, COS, MIN, MAX, MISSING, WHERE };

static const struct {
    const char *name;
    int code, arguments;
} functions[] = {
    {"sqrt", SQRT, 1}, {"abs", ABS, 1},     {"exp", EXP, 1},         {"log", LOG, 1},
    {"sin", SIN, 1},   {"log10", LOG10, 1}, {"cos", COS, 1},         {"min", MIN, 2},
    {"max", MAX, 2},   {"where", WHERE, 3}, {"missing", MISSING, 1},
};
enum { NFUNCTIONS = sizeof functions / sizeof *functions };

/* --- Reading ---------------------------------------------------------------------------------- */

typedef struct reader {
    const char *text, *at;
    formula *made;
    int64_t nmaps, depth;
    int nested; /* parentheses and signs that are open */
    const char *wrong;
    char said[160];
} reader;

static void read_comparison(reader *self);

static void fail(reader *self, const char *what)
{
    if (self->wrong) return;
    if (*self->at)
        snprintf(self->said, sizeof self->said, "%s at \"%.40s\"", what, self->at);
    else
        snprintf(self->said, sizeof self->said, "%s at its end", what);
    self->wrong = self->said;
}

/* Is this the next sign? Then it is taken. */
static int takes(reader *self, const char *sign)
{
    self->at += strspn(self->at, " \t\n");
    if (self->wrong || strncmp(self->at, sign, strlen(sign)) != 0) return 0;
    self->at += strlen(sign);
    return 1;
}

/* A step that takes so many values from the stack, and leaves one. */
static formula_step *add(reader *self, int code, int arguments)
{
    formula *made = self->made;
    if (made->count == FORMULA_STEPS) fail(self, "has too many steps");
    if (self->wrong) return NULL;
    self->depth += 1 - arguments;
    if (self->depth > made->depth) made->depth = self->depth;
    if (made->depth > FORMULA_DEPTH) fail(self, "is nested too deeply");
    formula_step *step = &made->steps[made->count++];
    *step = (formula_step){.code = code, .column = -1};
    return step;
}

static void read_number(reader *self)
{
    char digits[64], *end;
    size_t length = strspn(self->at, "0123456789.");
    if (self->at[length] == 'e' || self->at[length] == 'E') {
        const size_t sign = self->at[length + 1] == '+' || self->at[length + 1] == '-';
        const size_t more = strspn(self->at + length + 1 + sign, "0123456789");
        if (more) length += 1 + sign + more;
    }
    snprintf(digits, sizeof digits, "%.*s", (int)length, self->at);
    const double value = strtod(digits, &end);
    if (*end || length >= sizeof digits || !isfinite(value)) {
        fail(self, "has no number");
        return;
    }
    self->at += length;
    formula_step *step = add(self, NUMBER, 0);
    if (step) step->value = value;
}

static void read_map(reader *self, int letter)
{
    const int64_t map = letter - 'a';
    if (map >= self->nmaps) {
        self->at--;
        fail(self, "names a map that is not given,");
    }
    formula_step *step = add(self, MAP, 0);
    if (!step) return;
    step->map = map;
    if (!takes(self, "[")) return;
    const size_t length = strcspn(self->at, "]");
    if (!self->at[length] || length == 0 || length >= sizeof step->name)
        fail(self, "has no column");
    else
        snprintf(step->name, sizeof step->name, "%.*s", (int)length, self->at);
    self->at += length;
    if (!takes(self, "]")) fail(self, "has no ]");
}

static void read_function(reader *self, const char *name)
{
    int number = 0;
    while (number < NFUNCTIONS && strcmp(functions[number].name, name) != 0) number++;
    if (number == NFUNCTIONS || !takes(self, "(")) {
        self->at -= number == NFUNCTIONS ? strlen(name) : 0;
        fail(self, number == NFUNCTIONS ? "has an unknown word" : "has no (");
        return;
    }
    for (int i = 0; i < functions[number].arguments; i++) {
        if (i > 0 && !takes(self, ",")) fail(self, "has no ,");
        read_comparison(self);
    }
    if (!takes(self, ")")) fail(self, "has no )");
    add(self, functions[number].code, functions[number].arguments);
}

static void read_word(reader *self)
{
    char name[16] = "";
    size_t length = 0;
    while (isalnum((unsigned char)self->at[length])) length++;
    snprintf(name, sizeof name, "%.*s", (int)length, self->at);
    self->at += length;
    if (length == 1 && name[0] >= 'a' && name[0] <= 'z') {
        read_map(self, name[0]);
    } else if (strcmp(name, "pi") == 0) {
        formula_step *step = add(self, NUMBER, 0);
        if (step) step->value = M_PI;
    } else {
        read_function(self, name);
    }
}

static void read_item(reader *self)
{
    if (takes(self, "(")) {
        read_comparison(self);
        if (!takes(self, ")")) fail(self, "has no )");
    } else if (isdigit((unsigned char)*self->at) || *self->at == '.') {
        read_number(self);
    } else if (isalpha((unsigned char)*self->at)) {
        read_word(self);
    } else {
        fail(self, "has no number, map or function");
    }
}

/* A sign binds less than a power: -a^2 is -(a^2), and 2^-1 is a half. */
static void read_signed(reader *self)
{
    if (++self->nested > FORMULA_STEPS) fail(self, "is nested too deeply");
    if (takes(self, "-")) {
        read_signed(self);
        add(self, NEGATIVE, 1);
    } else if (takes(self, "+")) {
        read_signed(self);
    } else if (!self->wrong) {
        read_item(self);
        if (takes(self, "^") || takes(self, "**")) {
            read_signed(self);
            add(self, '^', 2);
        }
    }
    self->nested--;
}

static void read_product(reader *self)
{
    read_signed(self);
    while (!self->wrong) {
        const int code = takes(self, "*") ? '*' : takes(self, "/") ? '/' : 0;
        if (!code) return;
        read_signed(self);
        add(self, code, 2);
    }
}

static void read_sum(reader *self)
{
    read_product(self);
    while (!self->wrong) {
        const int code = takes(self, "+") ? '+' : takes(self, "-") ? '-' : 0;
        if (!code) return;
        read_product(self);
        add(self, code, 2);
    }
}

static void read_comparison(reader *self)
{
    static const struct {
        const char *sign;
        int code;
    } signs[] = {{"<=", AT_MOST}, {">=", AT_LEAST}, {"==", EQUAL},
                 {"!=", UNEQUAL}, {"<", '<'},       {">", '>'}};
    read_sum(self);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (!takes(self, signs[i].sign)) continue;
        read_sum(self);
        add(self, signs[i].code, 2);
        return;
    }
}

const char *formula_parse(const char *text, int64_t nmaps, formula *self)
{
    static reader read;
    read = (reader){.text = text, .at = text, .made = self, .nmaps = nmaps};
    *self = (formula){.count = 0};
    read_comparison(&read);
    takes(&read, "");
    if (*read.at) fail(&read, "does not end");
    return read.wrong;
}

/* --- Working out ------------------------------------------------------------------------------ */

static double of_two(int code, double x, double y)
{
    if (isnan(x) || isnan(y)) return (double)NAN;
    switch (code) {
    case '+':
        return x + y;
    case '-':
        return x - y;
    case '*':
        return x * y;
    case '/':
        return x / y;
    case '^':
        return pow(x, y);
    case '<':
        return x < y;
    case '>':
        return x > y;
    case AT_MOST:
        return x <= y;
    case AT_LEAST:
        return x >= y;
    case EQUAL:
        return x == y;
    case UNEQUAL:
        return x != y;
    case MIN:
        return x < y ? x : y;
    default:
        return x > y ? x : y;
    }
}

static double of_one(int code, double x)
{
    switch (code) {
    case NEGATIVE:
        return -x;
    case SQRT:
        return sqrt(x);
    case ABS:
        return fabs(x);
    case EXP:
        return exp(x);
    case LOG:
        return log(x);
    case LOG10:
        return log10(x);
    case SIN:
        return sin(x);
    case COS:
        return cos(x);
    default: /* MISSING */
        return !isfinite(x);
    }
}

static int arguments_of(int code)
{
    if (code == NUMBER || code == MAP) return 0;
    for (int i = 0; i < NFUNCTIONS; i++)
        if (functions[i].code == code) return functions[i].arguments;
    return code == NEGATIVE ? 1 : 2;
}

/* A step on the last values of the stack, `at` being the place of its result. */
static void run_step(const formula_step *step, int arguments, int64_t count, double *at)
{
    const double *second = at + count, *third = second + count;
    for (int64_t i = 0; i < count; i++) {
        if (arguments == 0)
            at[i] = step->value;
        else if (arguments == 1)
            at[i] = of_one(step->code, at[i]);
        else if (arguments == 2)
            at[i] = of_two(step->code, at[i], second[i]);
        else
            at[i] = isnan(at[i]) ? (double)NAN : at[i] != 0 ? second[i] : third[i];
    }
}

int formula_run(const formula *self, int64_t count, formula_read_fn read, void *data, double *stack)
{
    int64_t depth = 0;
    int code = CLI_OK;
    for (int64_t i = 0; i < self->count && code == CLI_OK; i++) {
        const formula_step *step = &self->steps[i];
        const int arguments = arguments_of(step->code);
        depth += 1 - arguments;
        double *at = stack + (depth - 1) * count;
        if (step->code == MAP)
            code = read(data, step, at);
        else
            run_step(step, arguments, count, at);
    }
    return code;
}

/* --- Units ------------------------------------------------------------------------------------ */

/* What the operators make: "" is the unit of a number, NULL an unknown one. */
static const char *unit_of_two(int code, const char *x, const char *y)
{
    if (!x || !y) return NULL;
    if (code == '*') return *x && *y ? NULL : *x ? x : y;
    if (code == '/') return !*y ? x : strcmp(x, y) == 0 ? "" : NULL;
    if (code == '^') return *x || *y ? NULL : "";
    if (code == '+' || code == '-' || code == MIN || code == MAX)
        return strcmp(x, y) == 0 ? x : NULL;
    return "";
}

static const char *unit_of_one(int code, const char *x)
{
    if (code == MISSING) return "";
    if (code == NEGATIVE || code == ABS) return x;
    return x && !*x ? "" : NULL;
}

const char *formula_unit(const formula *self,
                         const char *(*unit)(const void *data, const formula_step *step),
                         const void *data)
{
    const char *stack[FORMULA_DEPTH + 3] = {""};
    int64_t depth = 0;
    for (int64_t i = 0; i < self->count; i++) {
        const formula_step *step = &self->steps[i];
        const int arguments = arguments_of(step->code);
        depth += 1 - arguments;
        const char **at = &stack[depth - 1];
        if (step->code == NUMBER)
            *at = "";
        else if (step->code == MAP)
            *at = *unit(data, step) ? unit(data, step) : NULL;
        else if (arguments == 1)
            *at = unit_of_one(step->code, *at);
        else if (arguments == 2)
            *at = unit_of_two(step->code, at[0], at[1]);
        else
            *at = unit_of_two('+', at[1], at[2]);
    }
    return stack[0];
}
