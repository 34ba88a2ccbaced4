/* Writes what the checks on a GPU find, each row by one write. */
#include "gpu_report.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 4000 };

static const char *step = "";
static int file = -1;
static int wrong;

void gpu_report_open(const char *name, const char *path)
{
    step = name;
    if (!path) return;
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file >= 0) return;
    perror(path);
    exit(GPU_FAILED);
}

/* The text as it stands inside a JSON string. */
static void escape(const char *text, size_t size, char *escaped)
{
    size_t used = 0;
    for (; *text && used + 3 < size; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') escaped[used++] = '\\';
        escaped[used++] = c < ' ' ? ' ' : *text;
    }
    escaped[used] = 0;
}

static void write_row(const char *members)
{
    char row[LONGEST + 200];
    if (file < 0) return;
    const int length =
        snprintf(row, sizeof row, "{\"step\": \"%s\", %.*s}\n", step, (int)LONGEST, members);
    if (length > 0 && write(file, row, (size_t)length) != length) perror("gpu_check: results");
}

void gpu_report_row(const char *format, ...)
{
    char members[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(members, sizeof members, format, arguments);
    va_end(arguments);
    write_row(members);
}

/* JSON knows no NaN. */
void gpu_report_figure(const gpu_figure *f)
{
    char value[40] = "null";
    const int more = f->more && *f->more;
    if (isfinite(f->value)) snprintf(value, sizeof value, "%.6g", f->value);
    gpu_report_row("\"key\": \"%s\", \"value\": %s, \"unit\": \"%s\"%s%s", f->key, value, f->unit,
                   more ? ", " : "", more ? f->more : "");
    gpu_report_line(f->headline ? '=' : ' ', "%s: %.4g %s", f->key, f->value, f->unit);
}

static void print_line(char mark, const char *format, va_list arguments)
{
    printf("%c ", mark);
    vprintf(format, arguments);
    printf("\n");
    fflush(stdout);
}

void gpu_report_line(char mark, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(mark, format, arguments);
    va_end(arguments);
}

static void report_wrong(const char *format, va_list arguments)
{
    char text[1000], escaped[2000];
    vsnprintf(text, sizeof text, format, arguments);
    escape(text, sizeof escaped, escaped);
    gpu_report_row("\"wrong\": \"%s\"", escaped);
    gpu_report_line('!', "%s", text);
    wrong = 1;
}

void gpu_report_wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_wrong(format, arguments);
    va_end(arguments);
}

void gpu_report_stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_wrong(format, arguments);
    va_end(arguments);
    exit(GPU_FAILED);
}

gpu_outcome gpu_report_outcome(void)
{
    return wrong ? GPU_WRONG : GPU_RIGHT;
}
