/* armilla info FILE --json: what a FITS file holds, with all digits. */
#ifndef ARMILLA_CLI_INFO_JSON_H
#define ARMILLA_CLI_INFO_JSON_H

#include <armilla/armilla.h>

/* Adds an object to the report. path: for reading; errors of the library are the caller's to show.
 */
armilla_status info_json_file(const char *path);

#endif
