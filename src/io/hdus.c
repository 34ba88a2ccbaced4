/* Finds HDUs of FITS files by number or by EXTNAME and EXTVER, as astropy does, and lists those
 * that there are where the one that is asked for is missing. */
#include "io/hdus.h"

#include "io/file_error.h"
#include "io/number.h"
#include <stdio.h>
#include <string.h>

enum { LIST = 256, ITEM = ARMILLA_IO_NAME_SIZE + 48 };

typedef struct hdu_name {
    char name[ARMILLA_IO_NAME_SIZE]; /* EXTNAME; "" where there is none */
    int64_t version;                 /* EXTVER; 1 where there is none */
} hdu_name;

/* Moves to the HDU. */
static hdu_name read_name(const armilla_fits *fits, int hdu)
{
    hdu_name found = {"", 1};
    int code = 0;
    fits_movabs_hdu(fits->handle, hdu + 1, NULL, &code);
    if (code) return found;
    armilla_fits_text(fits, "EXTNAME", found.name);
    armilla_fits_integer(fits, "EXTVER", &found.version);
    if (hdu == 0 && !*found.name) strcpy(found.name, "PRIMARY");
    return found;
}

/* --- Lists ------------------------------------------------------------------------------------ */

static void list_hdus(const armilla_fits *fits, char list[LIST])
{
    size_t used = 0;
    for (int hdu = 0; hdu < fits->count; hdu++) {
        char item[ITEM], version[32] = "";
        const hdu_name found = read_name(fits, hdu);
        if (found.version != 1)
            snprintf(version, sizeof version, ",%lld", (long long)found.version);
        snprintf(item, sizeof item, "%s%d%s%s%s", hdu ? ", " : "", hdu, *found.name ? " " : "",
                 found.name, version);
        if (used + strlen(item) + strlen(", ...") >= LIST) {
            strcpy(list + used, ", ...");
            return;
        }
        strcpy(list + used, item);
        used += strlen(item);
    }
}

armilla_status armilla_fits_fail_hdu(const armilla_fits *fits, const char *asked)
{
    char list[LIST] = "";
    list_hdus(fits, list);
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "hdu = %.60s: %s has %d extension(s): %s", asked,
                        armilla_path_shown(fits->path), fits->count - 1, list);
}

/* --- Finding ---------------------------------------------------------------------------------- */

/* version NULL: any. -1: there is none. */
static int find_name(const armilla_fits *fits, const char *name, const int64_t *version)
{
    for (int hdu = 0; hdu < fits->count; hdu++) {
        const hdu_name found = read_name(fits, hdu);
        const int is_primary = hdu == 0 && armilla_text_is("PRIMARY", name);
        if ((is_primary || armilla_text_is(found.name, name)) &&
            (!version || *version == found.version))
            return hdu;
    }
    return -1;
}

/* "MASK,2". */
static int find_version(const armilla_fits *fits, const char *text)
{
    char name[ARMILLA_IO_NAME_SIZE];
    int64_t version;
    const char *comma = strrchr(text, ',');
    if (!comma || (size_t)(comma - text) >= sizeof name) return -1;
    if (!armilla_parse_integer(comma + 1, strlen(comma + 1), &version)) return -1;
    memcpy(name, text, (size_t)(comma - text));
    name[comma - text] = '\0';
    return find_name(fits, name, &version);
}

/* -1: there is none. Negative numbers count from the end, which a file that is cut off has not. */
static int find_number(const armilla_fits *fits, int64_t number)
{
    if (number < 0 && (fits->is_cut || fits->lacking)) return -1;
    if (number < 0) number += fits->count;
    return number >= 0 && number < fits->count ? (int)number : -1;
}

static int find(const armilla_fits *fits, const char *text)
{
    int64_t number;
    const char *digits = text + (*text == '-');
    if (*digits && !digits[strspn(digits, "0123456789")] &&
        armilla_parse_integer(text, strlen(text), &number))
        return find_number(fits, number);
    const int hdu = *text ? find_name(fits, text, NULL) : -1;
    return hdu < 0 ? find_version(fits, text) : hdu;
}

static armilla_status check(const armilla_fits *fits, const char *text, int needs_table, int hdu)
{
    int type = ANY_HDU;
    armilla_status status = hdu < 0 ? armilla_fits_check_end(fits) : ARMILLA_OK;
    if (status) return status; /* it may be among what is cut off */
    if (hdu < 0) return armilla_fits_fail_hdu(fits, text);
    status = armilla_fits_move(fits, hdu, &type);
    if (status || !needs_table || type != IMAGE_HDU) return status;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "hdu = %.60s: HDU %d of %s holds no table", text,
                        hdu, armilla_path_shown(fits->path));
}

armilla_status armilla_io_find_hdu(const char *path, const char *name, int needs_table, int *hdu)
{
    armilla_fits fits;
    armilla_status status = armilla_check_given("name", name);
    if (!status) status = armilla_check_given("hdu", hdu);
    if (!status) status = armilla_fits_open(path, &fits);
    if (status) return status;
    const int found = find(&fits, name);
    status = check(&fits, name, needs_table, found);
    armilla_fits_close(&fits);
    if (!status) *hdu = found;
    return status;
}
