/* Text tables of kernels: two columns, theta and K, and comments that begin with #. Strict: every
 * other line must be two numbers, so that a damaged file is not taken for a shorter one. */
#include "kernel.h"

#include "message.h"
#include "number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1000000 };

typedef struct table {
    const char *path;
    int64_t line, count, room;
    double *theta, *values, unit;
} table;

static int wrong_line(const table *self, const char *what)
{
    return work_error("\"%s\": line %lld: %s", self->path, (long long)self->line, what);
}

static int make_room(table *self)
{
    if (self->count < self->room) return CLI_OK;
    if (self->count >= MOST_ROWS) return wrong_line(self, "more than 1000000 rows");
    int64_t room = self->room ? 2 * self->room : 256;
    double *theta = realloc(self->theta, (size_t)room * sizeof *theta);
    if (theta) self->theta = theta;
    double *values = theta ? realloc(self->values, (size_t)room * sizeof *values) : NULL;
    if (!values) return memory_error();
    self->values = values;
    self->room = room;
    return CLI_OK;
}

static int take_row(table *self, char *line)
{
    static const char between[] = " \t\r\n,";
    char *rest, *first = strtok_r(line, between, &rest);
    if (!first) return CLI_OK;
    char *second = strtok_r(NULL, between, &rest);
    if (!second || strtok_r(NULL, between, &rest))
        return wrong_line(self, "must hold two numbers, theta and K");
    int code = make_room(self);
    if (code != CLI_OK) return code;
    const char *wrong = number_real(first, &self->theta[self->count]);
    if (!wrong) wrong = number_real(second, &self->values[self->count]);
    if (wrong) return wrong_line(self, wrong);
    self->count++;
    return CLI_OK;
}

/* "theta in arcmin" or "theta [arcmin]" in a comment, in front of the first row. */
static int take_comment(table *self, const char *text)
{
    char unit[16];
    const char *found = strstr(text, "theta");
    if (!found || self->count > 0) return CLI_OK;
    if (sscanf(found, "theta in %15[a-z]", unit) != 1 &&
        sscanf(found, "theta [%15[a-z]]", unit) != 1)
        return CLI_OK;
    const char *wrong = number_unit(unit, &self->unit);
    return wrong ? wrong_line(self, wrong) : CLI_OK;
}

static int take_line(table *self, char *line, size_t length)
{
    self->line++;
    if (strlen(line) != length) return wrong_line(self, "holds a zero byte; a text is needed");
    const char *start = line + strspn(line, " \t");
    return *start == '#' ? take_comment(self, start) : take_row(self, line);
}

static int take_lines(table *self, FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    int code = CLI_OK;
    while (code == CLI_OK && (length = getline(&line, &room, file)) >= 0)
        code = take_line(self, line, (size_t)length);
    free(line);
    if (code == CLI_OK && ferror(file))
        return work_error("\"%s\": %s", self->path, strerror(errno));
    return code;
}

int kernel_read_table(const char *path, int64_t *count, double **theta, double **values)
{
    table self = {.path = path, .unit = 1};
    FILE *file = fopen(path, "r");
    if (!file) return work_error("\"%s\": %s", path, strerror(errno));
    int code = take_lines(&self, file);
    fclose(file);
    if (code == CLI_OK && self.count < 2)
        code = work_error("\"%s\": holds %lld rows; a table needs two or more", path,
                          (long long)self.count);
    if (code != CLI_OK) {
        free(self.theta);
        free(self.values);
        return code;
    }
    for (int64_t i = 0; i < self.count; i++) self.theta[i] *= self.unit;
    *count = self.count;
    *theta = self.theta;
    *values = self.values;
    return CLI_OK;
}
