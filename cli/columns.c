/* Reads a text file of two numbers per line into a growing array, and names the line where
 * something is wrong. */
#include "columns.h"

#include "message.h"
#include "number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong_line(const columns *self, const char *what)
{
    return work_error("\"%s\": line %lld: %s", self->path, (long long)self->line, what);
}

static int make_room(columns *self)
{
    if (self->count >= self->most)
        return work_error("\"%s\": line %lld: more than %lld rows", self->path,
                          (long long)self->line, (long long)self->most);
    if (self->count < self->room) return CLI_OK;
    int64_t room = self->room ? 2 * self->room : 256;
    double *rows = realloc(self->rows, (size_t)room * COLUMNS * sizeof *rows);
    if (!rows) return memory_error();
    self->rows = rows;
    self->room = room;
    return CLI_OK;
}

static int take_row(columns *self, char *line)
{
    static const char between[] = " \t\r\n,";
    char *rest, *first = strtok_r(line, between, &rest), what[80];
    if (!first) return CLI_OK;
    char *second = strtok_r(NULL, between, &rest);
    snprintf(what, sizeof what, "must hold two numbers, %s", self->names);
    if (!second || strtok_r(NULL, between, &rest)) return wrong_line(self, what);
    int code = make_room(self);
    if (code != CLI_OK) return code;
    double *row = self->rows + COLUMNS * self->count;
    const char *wrong = number_real(first, &row[0]);
    if (!wrong) wrong = number_real(second, &row[1]);
    if (!wrong && self->check) wrong = self->check(row);
    if (wrong) return wrong_line(self, wrong);
    self->count++;
    return CLI_OK;
}

static int take_comment(columns *self, const char *text)
{
    if (!self->comment || self->count > 0) return CLI_OK;
    const char *wrong = self->comment(self->data, text);
    return wrong ? wrong_line(self, wrong) : CLI_OK;
}

static int take_line(columns *self, char *line, size_t length)
{
    self->line++;
    if (strlen(line) != length) return wrong_line(self, "holds a zero byte; a text is needed");
    const char *start = line + strspn(line, " \t");
    return *start == '#' ? take_comment(self, start) : take_row(self, line);
}

int columns_read(columns *self)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    int code = CLI_OK;
    const int is_standard = strcmp(self->path, "-") == 0;
    FILE *file = is_standard ? stdin : fopen(self->path, "r");
    if (!file) return work_error("\"%s\": %s", self->path, strerror(errno));
    while (code == CLI_OK && (length = getline(&line, &room, file)) >= 0)
        code = take_line(self, line, (size_t)length);
    if (code == CLI_OK && ferror(file))
        code = work_error("\"%s\": %s", self->path, strerror(errno));
    free(line);
    if (!is_standard) fclose(file);
    return code;
}
