/* Builds the JSON of --json in memory, so that a command that fails prints nothing. */
#include "report.h"

#include "message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 16, NUMBER = 32 };

static struct {
    int wanted, depth, is_short; /* short: of memory */
    int has_items[DEPTH];
    char ends[DEPTH];
    char *text;
    size_t length, room;
} json;

static void put(const char *bytes, size_t count)
{
    if (json.length + count + 1 > json.room) {
        const size_t room = 2 * (json.length + count) + 256;
        char *text = realloc(json.text, room);
        json.is_short |= !text;
        if (!text) return;
        json.text = text, json.room = room;
    }
    memcpy(json.text + json.length, bytes, count);
    json.length += count;
    json.text[json.length] = '\0';
}

static void put_text(const char *text)
{
    put(text, strlen(text));
}

/* Bytes of the character of UTF-8 that begins here; 0: none does. Surrogates, characters beyond
 * U+10FFFF and more bytes than a character needs are none. */
static size_t utf8_length(const unsigned char *at)
{
    const unsigned char first = at[0];
    const size_t length = first < 0x80                    ? 1
                          : first >= 0xC2 && first < 0xE0 ? 2
                          : first >= 0xE0 && first < 0xF0 ? 3
                          : first >= 0xF0 && first < 0xF5 ? 4
                                                          : 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    if ((first == 0xE0 && at[1] < 0xA0) || (first == 0xED && at[1] > 0x9F)) return 0;
    if ((first == 0xF0 && at[1] < 0x90) || (first == 0xF4 && at[1] > 0x8F)) return 0;
    return length;
}

static void put_string(const char *text)
{
    char code[8];
    put_text("\"");
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const size_t length = utf8_length(at);
        if (*at == '"' || *at == '\\')
            snprintf(code, sizeof code, "\\%c", *at);
        else if (*at < ' ' || *at == 127)
            snprintf(code, sizeof code, "\\u%04x", *at);
        else
            code[0] = '\0';
        if (*code)
            put_text(code);
        else if (length)
            put((const char *)at, length);
        else
            put_text("\xEF\xBF\xBD");
        at += length ? length : 1;
    }
    put_text("\"");
}

static void put_real(double value)
{
    char number[NUMBER];
    snprintf(number, sizeof number, "%.17g", value);
    put_text(isfinite(value) ? number : "null");
}

/* A comma where something stands before, and the name. Nonzero: nobody wants the value. */
static int begin(const char *name)
{
    if (!json.wanted) return 1;
    if (json.has_items[json.depth]) put_text(", ");
    json.has_items[json.depth] = 1;
    if (!name) return 0;
    put_string(name);
    put_text(": ");
    return 0;
}

void report_setup(int wanted)
{
    report_free();
    json.wanted = wanted;
    if (wanted) put_text("{");
}

int report_is_wanted(void)
{
    return json.wanted;
}

void report_text(const char *name, const char *value)
{
    if (begin(name)) return;
    if (value)
        put_string(message_shown(value));
    else
        put_text("null");
}

void report_integer(const char *name, int64_t value)
{
    char number[NUMBER];
    if (begin(name)) return;
    snprintf(number, sizeof number, "%lld", (long long)value);
    put_text(number);
}

void report_unsigned(const char *name, uint64_t value)
{
    char number[NUMBER];
    if (begin(name)) return;
    snprintf(number, sizeof number, "%llu", (unsigned long long)value);
    put_text(number);
}

void report_real(const char *name, double value)
{
    if (!begin(name)) put_real(value);
}

void report_flag(const char *name, int value)
{
    if (!begin(name)) put_text(value ? "true" : "false");
}

void report_reals(const char *name, int64_t count, const double *values)
{
    report_open(name, '[');
    for (int64_t i = 0; i < count; i++) report_real(NULL, values[i]);
    report_close();
}

void report_open(const char *name, char bracket)
{
    if (begin(name) || json.depth + 1 >= DEPTH) return;
    put(&bracket, 1);
    json.ends[++json.depth] = bracket == '{' ? '}' : ']';
    json.has_items[json.depth] = 0;
}

void report_close(void)
{
    if (!json.wanted || json.depth == 0) return;
    put(&json.ends[json.depth--], 1);
}

int report_print(void)
{
    if (!json.wanted) return CLI_OK;
    put_text("}\n");
    if (json.is_short) return memory_error();
    fwrite(json.text, 1, json.length, stdout);
    return finish_stdout(CLI_OK);
}

void report_free(void)
{
    free(json.text);
    memset(&json, 0, sizeof json);
}
