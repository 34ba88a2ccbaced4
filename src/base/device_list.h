/* Lists of GPUs in options. */
#ifndef ARMILLA_BASE_DEVICE_LIST_H
#define ARMILLA_BASE_DEVICE_LIST_H

#include "armilla/device.h"

/* What can be said of a device and a list without asking the driver.
 * Given:    devices, ndevices  the options' fields;  device  theirs.
 * Errors:   ARGUMENT: no device, a list for the CPU, a count without a list and the reverse, a
 * negative number, a number that stands there twice; names the field of `options`. */
armilla_status armilla_device_list_check(armilla_device device, const int *devices,
                                         int64_t ndevices);

/* Puts "GPU 3: " before the message of an error, but for ARGUMENT and CANCELLED. Returned: status.
 */
armilla_status armilla_device_name(int device, armilla_status status);

#endif
