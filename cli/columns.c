/* Reads a text file of a few numbers per line into a growing array, and names the line where
 * something is wrong. */
#include "columns.h"

#include "lines.h"
#include "message.h"
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong_line(const columns *self, const char *what)
{
    return lines_wrong(self->path, self->line, what);
}

static int make_room(columns *self)
{
    if (self->count >= self->most)
        return work_error("\"%s\": line %lld: more than %lld rows", self->path,
                          (long long)self->line, (long long)self->most);
    if (self->count < self->room) return CLI_OK;
    int64_t room = self->room ? 2 * self->room : 256;
    double *rows = realloc(self->rows, (size_t)(room * self->width) * sizeof *rows);
    if (!rows) return memory_error();
    self->rows = rows;
    self->room = room;
    return CLI_OK;
}

/* The words of a line; as many as the row has, and no other. */
static int split_line(const columns *self, char *line, char **words)
{
    static const char between[] = " \t\r\n,", *const numbers[] = {"one number", "two numbers",
                                                                  "three numbers"};
    char *rest, what[80];
    int64_t count = 0;
    for (char *word = strtok_r(line, between, &rest); word; word = strtok_r(NULL, between, &rest))
        if (count++ < self->width) words[count - 1] = word;
    if (count == 0 || count == self->width) return CLI_OK;
    snprintf(what, sizeof what, "must hold %s, %s", numbers[self->width - 1], self->names);
    return wrong_line(self, what);
}

static int take_row(columns *self, char *line)
{
    char *words[MOST_NUMBERS] = {NULL};
    const char *wrong = NULL;
    int code = split_line(self, line, words);
    if (code == CLI_OK && words[0]) code = make_room(self);
    if (code != CLI_OK || !words[0]) return code;
    double *row = self->rows + self->width * self->count;
    for (int64_t i = 0; i < self->width && !wrong; i++) wrong = number_real(words[i], &row[i]);
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

static int take_line(void *data, int64_t number, char *line)
{
    columns *self = data;
    self->line = number;
    const char *start = line + strspn(line, " \t");
    return *start == '#' ? take_comment(self, start) : take_row(self, line);
}

int columns_read(columns *self)
{
    return lines_read(self->path, take_line, self);
}
