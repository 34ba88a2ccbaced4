/* Turns the text of a command-line option into a value of the option's kind (an integer within its
 * range, an angle, a grid, a device, ...) or says what is wrong with the text. */
#include "option_values.h"

#include "latitudes.h"
#include "number.h"

#include <armilla/armilla.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* NULL if minimum <= value <= maximum. */
static const char *out_of_range(const option *row, int64_t value)
{
    static char text[80];
    int low = value < row->minimum;
    if (!low && value <= row->maximum) return NULL;
    snprintf(text, sizeof text, "must be at %s %lld", low ? "least" : "most",
             (long long)(low ? row->minimum : row->maximum));
    return text;
}

static const char *to_integer(const option *row, const char *text, int64_t *target)
{
    int64_t value;
    const char *wrong = number_integer(text, &value);
    if (!wrong) wrong = out_of_range(row, value);
    if (!wrong) *target = value;
    return wrong;
}

static const char *to_steps(const option *row, const char *text, int64_t *target)
{
    int64_t value;
    if (strcmp(text, "auto") == 0) {
        *target = STEPS_AUTO;
        return NULL;
    }
    return number_integer(text, &value) ? "must be a whole number, or auto"
                                        : to_integer(row, text, target);
}

static const char *to_tolerance(const char *text, double *target)
{
    double value;
    const char *wrong = number_real(text, &value);
    if (wrong) return wrong;
    if (!(value > 0 && value < 1)) return "must be above 0 and below 1, such as 1e-10";
    *target = value;
    return NULL;
}

static const char *to_width(const char *wrong, double radians, double *target)
{
    if (wrong) return wrong;
    if (radians < 0) return "must not be negative";
    if (radians > NUMBER_FLOAT_PI) return "must not be wider than 180deg";
    *target = fmin(radians, M_PI);
    return NULL;
}

static const char *to_angle(const char *text, double *target)
{
    double radians = 0;
    const char *wrong = number_angle(text, &radians);
    return to_width(wrong, radians, target);
}

static const char *to_arcmin(const char *text, double *target)
{
    double arcmin = 0;
    const char *wrong = number_real(text, &arcmin);
    if (wrong) return "must be a bare number of arc minutes; --fwhm takes other units";
    return to_width(NULL, arcmin * (M_PI / 180 / 60), target);
}

/* What the library says of a name, without the name. */
static const char *to_grid_sizes(const char *text, armilla_grid_sizes *sizes)
{
    if (!armilla_grid_read_name(text, sizes)) return NULL;
    const char *message = armilla_status_message(), *rule = strstr(message, "\": ");
    return rule ? rule + 3 : message;
}

static const char *to_grid(const char *text, grid_choice *target)
{
    armilla_grid_sizes sizes = {.size = sizeof sizes};
    const char *wrong = latitudes_is(text) ? latitudes_wrong(text) : to_grid_sizes(text, &sizes);
    if (wrong) return wrong;
    if (sizes.nested)
        return "HEALPix maps are made in RING order, healpix:NSIDE; armilla map --order nested "
               "reorders them";
    if (sizes.nside > MAX_NSIDE) return "NSIDE is too large";
    *target = (grid_choice){text, sizes.nside};
    return NULL;
}

static const char *to_grid_name(const char *text, const char **target)
{
    armilla_grid_sizes sizes = {.size = sizeof sizes};
    *target = text;
    return to_grid_sizes(text, &sizes);
}

static const char *to_device(const char *text, int *target)
{
    if (strcmp(text, "cpu") && strcmp(text, "cuda")) return "must be cpu or cuda";
    *target = strcmp(text, "cuda") ? ARMILLA_CPU : ARMILLA_CUDA;
    return NULL;
}

/* Adds a number that ends at a comma or at the end. Returned: what follows it; NULL: it is none. */
static const char *add_device(const char *text, device_list *list)
{
    int64_t number = 0;
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 6 || (text[digits] && text[digits] != ',')) return NULL;
    for (size_t i = 0; i < digits; i++) number = 10 * number + (text[i] - '0');
    for (int64_t i = 0; i < list->count; i++)
        if (list->numbers[i] == number) return NULL;
    if (list->count == MAX_DEVICES) return NULL;
    list->numbers[list->count++] = (int)number;
    return text + digits;
}

static const char *to_devices(const char *text, device_list *target)
{
    static const char wrong[] = "must be numbers of GPUs, each once, such as 0,1";
    target->count = 0;
    while ((text = add_device(text, target)) && *text) text++;
    return text ? NULL : wrong;
}

const char *convert_value(const option *row, const char *text, void *target)
{
    switch (row->kind) {
    case OPTION_TEXT:
    case OPTION_INPUT:
        *(const char **)target = text;
        return NULL;
    case OPTION_INTEGER:
        return to_integer(row, text, target);
    case OPTION_STEPS:
        return to_steps(row, text, target);
    case OPTION_SEED:
        return number_unsigned(text, target);
    case OPTION_TOLERANCE:
        return to_tolerance(text, target);
    case OPTION_ANGLE:
        return to_angle(text, target);
    case OPTION_ARCMIN:
        return to_arcmin(text, target);
    case OPTION_RANGE:
        return number_range(text, target);
    case OPTION_GRID:
        return to_grid(text, target);
    case OPTION_NSIDE:
        return to_integer(row, text, &((grid_choice *)target)->nside);
    case OPTION_GRID_NAME:
        return to_grid_name(text, target);
    case OPTION_DEVICE:
        return to_device(text, target);
    case OPTION_DEVICES:
        return to_devices(text, target);
    case OPTION_FLAG:
        break;
    }
    return "takes no value";
}
