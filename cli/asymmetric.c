/* Reads tables of kernels at offsets: colatitude, longitude, weight, kernel. */
#include "asymmetric.h"

#include "kernel.h"
#include "lines.h"
#include "message.h"
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KERNELS = 10000, WORDS = 4 };

typedef struct {
    const char *path;
    asymmetric_table *table;
} reading;

static int make_room(asymmetric_table *self)
{
    if (self->count < self->room) return CLI_OK;
    const int64_t room = self->room ? 2 * self->room : 16;
    armilla_kernel **kernels = realloc(self->kernels, (size_t)room * sizeof(armilla_kernel *));
    if (kernels) self->kernels = kernels;
    double *offsets = realloc(self->offsets, (size_t)room * 2 * sizeof *offsets);
    if (offsets) self->offsets = offsets;
    double *weights = realloc(self->weights, (size_t)room * sizeof *weights);
    if (weights) self->weights = weights;
    if (!kernels || !offsets || !weights) return memory_error();
    self->room = room;
    return CLI_OK;
}

/* NULL, or what is wrong with the numbers of a row. */
static const char *take_numbers(char *const words[WORDS], asymmetric_table *self)
{
    double *offset = self->offsets + 2 * self->count;
    const char *wrong = number_angle(words[0], &offset[0]);
    if (!wrong) wrong = number_angle(words[1], &offset[1]);
    if (!wrong && !(offset[0] >= 0 && offset[0] <= NUMBER_FLOAT_PI))
        wrong = "the first angle must be 0 to 180deg";
    return wrong ? wrong : number_real(words[2], &self->weights[self->count]);
}

static int take_row(void *data, int64_t number, char *line)
{
    static const char between[] = " \t\r\n";
    const reading *r = data;
    asymmetric_table *self = r->table;
    char *rest, *words[WORDS + 1], label[100];
    words[0] = strtok_r(line, between, &rest);
    if (!words[0] || *words[0] == '#') return CLI_OK;
    for (int i = 1; i <= WORDS; i++)
        words[i] = words[i - 1] ? strtok_r(NULL, between, &rest) : NULL;
    if (!words[WORDS - 1] || words[WORDS])
        return lines_wrong(r->path, number, "must hold two angles, a weight and a kernel");
    if (self->count == MOST_KERNELS) return lines_wrong(r->path, number, "more than 10000 kernels");
    if (make_room(self) != CLI_OK) return CLI_FAILED;
    const char *wrong = take_numbers(words, self);
    if (wrong) return lines_wrong(r->path, number, wrong);
    snprintf(label, sizeof label, "\"%.60s\": line %lld: kernel", r->path, (long long)number);
    if (kernel_new_as(label, words[WORDS - 1], &self->kernels[self->count]) != CLI_OK)
        return CLI_FAILED;
    self->count++;
    return CLI_OK;
}

int asymmetric_read(const char *path, asymmetric_table *self)
{
    reading r = {path, self};
    const int code = lines_read(path, take_row, &r);
    if (code == CLI_OK && !self->count) return work_error("\"%s\": holds no kernel", path);
    return code;
}

void asymmetric_free(asymmetric_table *self)
{
    for (int64_t j = 0; j < self->count; j++) armilla_kernel_free(self->kernels[j]);
    free(self->kernels);
    free(self->offsets);
    free(self->weights);
    memset(self, 0, sizeof *self);
}
