/* Makes the kernel of a radial convolution that the text of --kernel describes, such as
 * gaussian:1deg: a table has each kind's name and the function that takes what follows the colon.
 * Tables are read in kernel_table.c. */
#include "kernel.h"

#include "message.h"
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char forms[] = "write gaussian:FWHM, tophat:RADIUS, mexhat:FWHM, needlet:BASE,SCALE, "
                            "table:FILE or window:FILE";

/* A kind of kernel and what makes it from the text behind the colon; one of the two. */
typedef struct kind {
    const char *name;
    armilla_status (*of_angle)(double angle, armilla_kernel **kernel);
    int (*of_text)(const char *label, const char *text, const char *value, armilla_kernel **kernel);
    int is_file;
} kind;

/* The library's words about a kernel that the command line described. */
static int refuse(armilla_status status, const char *label, const char *text)
{
    char subject[180];
    snprintf(subject, sizeof subject, "%.100s \"%.60s\"", label, text);
    return library_error(status, subject);
}

static int of_needlet(const char *label, const char *text, const char *value,
                      armilla_kernel **kernel)
{
    char base_text[32];
    double base;
    int64_t scale;
    size_t length = strcspn(value, ",");
    if (!value[length] || length >= sizeof base_text)
        return usage_error("%s \"%s\": must be needlet:BASE,SCALE, such as needlet:2,5", label,
                           text);
    memcpy(base_text, value, length);
    base_text[length] = '\0';
    const char *wrong = number_real(base_text, &base);
    if (wrong) return usage_error("%s \"%s\": BASE %s", label, text, wrong);
    wrong = number_integer(value + length + 1, &scale);
    if (wrong) return usage_error("%s \"%s\": SCALE %s", label, text, wrong);
    armilla_status status = armilla_kernel_new_needlet(base, scale, kernel);
    return status ? refuse(status, label, text) : CLI_OK;
}

static int of_table(const char *label, const char *text, const char *path, armilla_kernel **kernel)
{
    double *theta, *values;
    int64_t count;
    (void)label, (void)text;
    int code = kernel_read_table(path, &count, &theta, &values);
    if (code != CLI_OK) return code;
    armilla_status status = armilla_kernel_new_table(count, theta, values, kernel);
    free(values);
    free(theta);
    return status ? data_error(status, path) : CLI_OK;
}

/* A window that ends with a step makes a kernel that rings far out, whose support is long. */
static void warn_of_step(const armilla_cl_file *file, const char *path)
{
    double largest = 0, last = fabs(file->cl[file->lmax]);
    for (int64_t l = 0; l <= file->lmax; l++)
        if (fabs(file->cl[l]) > largest) largest = fabs(file->cl[l]);
    if (last > 1e-3 * largest)
        warning("window:%s: b_l ends at l = %lld with %.2g of its largest value: so the kernel "
                "rings and its support is wide",
                path, (long long)file->lmax, last / largest);
}

static int of_window(const char *label, const char *text, const char *path, armilla_kernel **kernel)
{
    armilla_cl_file *file;
    (void)label, (void)text;
    armilla_status status = armilla_cl_read(path, &file);
    if (status) return data_error(status, path);
    status = armilla_kernel_new_window(file->lmax, file->cl, kernel);
    if (!status) warn_of_step(file, path);
    armilla_cl_file_free(file);
    return status ? data_error(status, path) : CLI_OK;
}

static const kind kinds[] = {
    {"gaussian", armilla_kernel_new_gaussian, NULL, 0},
    {"tophat", armilla_kernel_new_tophat, NULL, 0},
    {"mexhat", armilla_kernel_new_mexican_hat, NULL, 0},
    {"needlet", NULL, of_needlet, 0},
    {"table", NULL, of_table, 1},
    {"window", NULL, of_window, 1},
};

/* The kind, and what follows the colon, NULL where there is none; NULL: not one of them. */
static const kind *find(const char *text, const char **value)
{
    size_t length = strcspn(text, ":");
    *value = text[length] ? text + length + 1 : NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].name) == length && strncmp(text, kinds[i].name, length) == 0)
            return &kinds[i];
    return NULL;
}

const char *kernel_file(const char *text)
{
    const char *value;
    const kind *found = find(text, &value);
    return found && found->is_file ? value : NULL;
}

int kernel_new_as(const char *label, const char *text, armilla_kernel **kernel)
{
    const char *value;
    double angle;
    const kind *found = find(text, &value);
    if (!found) return usage_error("%s \"%s\": unknown kernel; %s", label, text, forms);
    if (!value)
        return usage_error("%s \"%s\": a colon and what follows it are missing; %s", label, text,
                           forms);
    if (found->of_text) return found->of_text(label, text, value, kernel);
    const char *wrong = number_angle(value, &angle);
    if (wrong) return usage_error("%s \"%s\": %s", label, text, wrong);
    armilla_status status = found->of_angle(angle, kernel);
    return status ? refuse(status, label, text) : CLI_OK;
}

int kernel_new(const char *text, armilla_kernel **kernel)
{
    return kernel_new_as("--kernel", text, kernel);
}
