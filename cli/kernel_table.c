/* Text tables of kernels: two columns, theta and K. */
#include "kernel.h"

#include "columns.h"
#include "message.h"
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1000000 };

/* "theta in arcmin" or "theta [arcmin]" in a comment, in front of the first row. */
static const char *take_comment(void *data, const char *text)
{
    char name[16];
    const char *found = strstr(text, "theta");
    if (!found || (sscanf(found, "theta in %15[a-z]", name) != 1 &&
                   sscanf(found, "theta [%15[a-z]]", name) != 1))
        return NULL;
    return number_unit(name, data);
}

static int take_columns(const columns *file, double unit, double **theta, double **values)
{
    *theta = malloc((size_t)file->count * sizeof **theta);
    *values = malloc((size_t)file->count * sizeof **values);
    if (!*theta || !*values) {
        free(*theta);
        free(*values);
        return memory_error();
    }
    for (int64_t i = 0; i < file->count; i++) {
        (*theta)[i] = file->rows[2 * i] * unit;
        (*values)[i] = file->rows[2 * i + 1];
    }
    return CLI_OK;
}

int kernel_read_table(const char *path, int64_t *count, double **theta, double **values)
{
    double unit = 1;
    columns file = {.path = path,
                    .names = "theta and K",
                    .width = 2,
                    .most = MOST_ROWS,
                    .comment = take_comment,
                    .data = &unit};
    int code = columns_read(&file);
    if (code == CLI_OK && file.count < 2)
        code = work_error("\"%s\": holds %lld rows; a table needs two or more", path,
                          (long long)file.count);
    if (code == CLI_OK) code = take_columns(&file, unit, theta, values);
    if (code == CLI_OK) *count = file.count;
    free(file.rows);
    return code;
}
