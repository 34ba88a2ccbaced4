/* Which column of a map file --field means: a number from 0, or a name. The file is opened for one
 * column after the other until one has the name: more time than a look at the header would take,
 * but never more memory than one column. */
#include "sky.h"

#include "hdu.h"
#include "mapfile.h"
#include "message.h"
#include "number.h"
#include "ranks.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LARGEST = 9999, MOST_COLUMNS = 999 /* of a table */ };

static int begins_with_letter(const char *name, const char *letter)
{
    size_t length = strcspn(name, "_- ");
    return length == 1 && strlen(letter) == 1 && strncasecmp(name, letter, 1) == 0;
}

/* "Q" means Q_POLARISATION, Q-POL, Q_STOKES; "I" and "T" mean TEMPERATURE, too. */
int sky_name_means(const char *wanted, const char *name)
{
    if (strcasecmp(wanted, name) == 0 || begins_with_letter(name, wanted)) return 1;
    if (strcasecmp(wanted, "I") != 0 && strcasecmp(wanted, "T") != 0) return 0;
    return strcasecmp(name, "TEMPERATURE") == 0 || begins_with_letter(name, "I") ||
           begins_with_letter(name, "T");
}

/* wanted: a name; NULL: none, for the message alone, which lists the columns. Columns of text and
 * the like cannot be read, nor have their names; they are passed over. An error of the file says
 * the same of the next column, too, and ends the search. */
static int find_name(const sky_request *request, int hdu, const char *wanted, int64_t *column)
{
    const char *path = request->path;
    char name[ARMILLA_IO_NAME_SIZE], list[256] = "", before[512] = "";
    armilla_status status = ARMILLA_OK;
    int64_t found = -1;
    for (int64_t i = 0; i < MOST_COLUMNS; i++) {
        status = mapfile_column_name(path, hdu, i, name);
        if (status == ARMILLA_ERROR_FORMAT) {
            if (!strcmp(before, armilla_status_message())) break;
            snprintf(before, sizeof before, "%s", armilla_status_message());
            continue;
        }
        if (status) break;
        *column = found = i;
        if (wanted && sky_name_means(wanted, name)) return CLI_OK;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", name);
    }
    if (status == ARMILLA_ERROR_UNSUPPORTED && ranks_transport()) return mapfile_is_partial(path);
    if (found < 0 || (status && status != ARMILLA_ERROR_ARGUMENT)) return data_error(status, path);
    if (wanted || !request->pol)
        return usage_error("--field \"%s\": \"%s\" has the columns %s (numbers 0 to %lld)",
                           request->field ? request->field : "0", path, list, (long long)found);
    const char *first = request->field;
    return usage_error("--pol: \"%s\" must hold I, Q and U in consecutive columns%s%s; it has %s "
                       "(numbers 0 to %lld); without --pol the command works on one column",
                       path, first ? " from --field " : "", first ? first : "", list,
                       (long long)found);
}

int sky_lacks_columns(const sky_request *request)
{
    int64_t none;
    int hdu;
    const int code = hdu_find(request->path, request->hdu, &hdu);
    return code == CLI_OK ? find_name(request, hdu, NULL, &none) : code;
}

int sky_find_column(const sky_request *request, int hdu, int64_t *column)
{
    const char *field = request->field;
    int64_t number = 0;
    if (field && number_integer(field, &number) != NULL)
        return find_name(request, hdu, field, column);
    if (number < 0 || number > LARGEST)
        return usage_error("--field \"%s\": must be from 0 to %d, or a name", field, LARGEST);
    *column = number;
    return CLI_OK;
}
