/* The text of an option's value -> the value. */
#ifndef ARMILLA_CLI_OPTION_VALUES_H
#define ARMILLA_CLI_OPTION_VALUES_H

#include "options.h"

/* Stores the value at target, whose type the kind of the row tells. Returns NULL, or what is wrong
 * with the text. */
const char *convert_value(const option *row, const char *text, void *target);

#endif
