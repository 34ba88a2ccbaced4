/* Recognises, opens, walks and closes FITS files, and reads their keywords, through cfitsio under
 * one lock. A file that is read is unpacked first where it is packed, and then screened
 * (fits_screen.h), so that cfitsio meets sound headers only. */
#include "io/fits_file.h"

#include "base/memory.h"
#include "io/file_error.h"
#include "io/fits_screen.h"
#include "io/hdus.h"
#include "io/number.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t cfitsio_lock = PTHREAD_MUTEX_INITIALIZER;

/* --- What kind of file ------------------------------------------------------------------------ */

static int is_text(const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] < 32 && !memchr("\t\n\r\f", bytes[i], 4)) return 0;
    return length > 0;
}

static const char *describe_magic(const unsigned char *bytes, size_t length)
{
    if (length == 0) return "is empty";
    if (length >= 4 && !memcmp(bytes, "\x89PNG", 4)) return "is a PNG picture";
    if (length >= 4 && !memcmp(bytes, "\x89HDF", 4)) return "is an HDF5 file";
    if (length >= 4 && !memcmp(bytes, "PK\x03\x04", 4)) return "is a ZIP or NPZ archive";
    if (length >= 6 && !memcmp(bytes, "\x93NUMPY", 6)) return "is a NumPy array";
    if (length >= 6 && !memcmp(bytes,
                               "\xfd"
                               "7zXZ",
                               6))
        return "is compressed by xz: unpack it first, with unxz";
    if (length >= 4 && !memcmp(bytes, "\x28\xb5\x2f\xfd", 4))
        return "is compressed by Zstandard: unpack it first, with unzstd";
    if (length >= 2 && !memcmp(bytes, "\x1f\x9d", 2))
        return "is compressed by compress: unpack it first, with gunzip";
    return "holds unknown binary data";
}

/* What is said of a packed file whose contents do not show. */
static const char *describe_packed(armilla_packing packing)
{
    if (packing == ARMILLA_PACKING_GZIP) return "is compressed by gzip, but empty or damaged";
#ifdef ARMILLA_WITH_BZIP2
    return "is compressed by bzip2, but empty or damaged";
#else
    return "is compressed by bzip2, which this build cannot unpack: unpack it first, with bunzip2";
#endif
}

static armilla_status inspect_open(const char *path, int descriptor, armilla_file_look *look)
{
    struct stat info;
    unsigned char bytes[512];
    if (fstat(descriptor, &info)) return armilla_fail_file(path, "read it", errno);
    if (S_ISDIR(info.st_mode)) return armilla_fail_file(path, "read it", EISDIR);
    if (!S_ISREG(info.st_mode))
        return armilla_fail(ARMILLA_ERROR_IO, "%s: is no regular file", armilla_path_shown(path));
    ssize_t length = read(descriptor, bytes, sizeof bytes);
    if (length < 0) return armilla_fail_file(path, "read it", errno);
    look->size = (int64_t)info.st_size;
    look->kind = ARMILLA_FILE_OTHER;
    look->packing = armilla_packing_of(bytes, (size_t)length);
    look->description = describe_packed(look->packing);
    if (look->packing)
        length = armilla_packing_peek(look->packing, descriptor, bytes, sizeof bytes);
    if (look->packing && length <= 0) return ARMILLA_OK;
    look->description = describe_magic(bytes, (size_t)length);
    if (length >= 9 && !memcmp(bytes, "SIMPLE  =", 9))
        look->kind = ARMILLA_FILE_FITS;
    else if (is_text(bytes, (size_t)length))
        look->kind = ARMILLA_FILE_TEXT;
    return ARMILLA_OK;
}

armilla_status armilla_file_inspect(const char *path, armilla_file_look *look)
{
    if (!path || !*path)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "path = \"\": must name a file");
    /* O_NONBLOCK: a pipe must not make us wait for a writer. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return armilla_fail_file(path, "open it", errno);
    armilla_status status = inspect_open(path, descriptor, look);
    close(descriptor);
    return status;
}

/* --- Errors ----------------------------------------------------------------------------------- */

static armilla_status status_of(int code)
{
    switch (code) {
    case MEMORY_ALLOCATION:
        return ARMILLA_ERROR_MEMORY;
    case FILE_NOT_OPENED:
    case FILE_NOT_CREATED:
    case WRITE_ERROR:
    case READ_ERROR:
    case FILE_NOT_CLOSED:
    case SEEK_ERROR:
    case TOO_MANY_FILES:
        return ARMILLA_ERROR_IO;
    default:
        return ARMILLA_ERROR_FORMAT;
    }
}

armilla_status armilla_fits_fail(const armilla_fits *fits, const char *action, int code)
{
    int error = errno;
    char summary[FLEN_STATUS], detail[FLEN_ERRMSG] = "";
    armilla_status status = status_of(code);
    const char *shown = armilla_path_shown(fits->path);
    if (status == ARMILLA_ERROR_IO && error && code != FILE_NOT_OPENED)
        return armilla_fail_file(fits->path, action, error);
    fits_get_errstatus(code, summary);
    fits_read_errmsg(detail);
    if (code == END_OF_FILE) snprintf(summary, sizeof summary, "the file is truncated");
    return armilla_fail(status, "%s: could not %s: %s%s%s (cfitsio status %d)", shown, action,
                        summary, *detail ? ": " : "", detail, code);
}

/* --- Opening ---------------------------------------------------------------------------------- */

/* cfitsio expands a leading ~ and drops leading blanks even where it takes a name as it is. */
static armilla_status plain_name(const char *path, char name[FLEN_FILENAME])
{
    int is_odd = *path == '~' || *path == ' ';
    if (strlen(path) + 3 > FLEN_FILENAME)
        return armilla_fail(ARMILLA_ERROR_IO, "%s: the path is longer than %d bytes",
                            armilla_path_shown(path), FLEN_FILENAME - 3);
    snprintf(name, FLEN_FILENAME, "%s%s", is_odd ? "./" : "", path);
    return ARMILLA_OK;
}

static void begin(const char *path, armilla_fits *fits)
{
    fits->handle = NULL;
    fits->path = path;
    pthread_mutex_lock(&cfitsio_lock);
    fits_write_errmark();
    errno = 0;
}

static void end(armilla_fits *fits)
{
    fits->handle = NULL;
    fits_clear_errmark();
    pthread_mutex_unlock(&cfitsio_lock);
}

/* Everything that can be known without cfitsio. */
static armilla_status screen(const armilla_plain_file *plain, armilla_fits *fits, int64_t **starts)
{
    armilla_screen found;
    armilla_status status = armilla_fits_screen(plain->name, plain->size, &found);
    fits->size = plain->size;
    fits->count = found.count;
    fits->is_cut = found.is_cut;
    fits->lacking = found.lacking;
    *starts = found.starts;
    return status || fits->count > 0 ? status : armilla_fits_check_end(fits);
}

/* Goes from HDU to HDU as long as cfitsio reads them, and finds the next one where the screen did:
 * it must not see a header that was not screened. What follows counts as cut off; cfitsio would not
 * pass an HDU that it cannot read anyway. */
static void agree(armilla_fits *fits, const int64_t *starts)
{
    for (int hdu = 0; hdu + 1 < fits->count; hdu++) {
        LONGLONG header = 0, data = 0, end = 0;
        int code = 0;
        if (hdu > 0) fits_movabs_hdu(fits->handle, hdu + 1, NULL, &code);
        fits_get_hduaddrll(fits->handle, &header, &data, &end, &code);
        if (!code && end == starts[hdu + 1]) continue;
        fits->count = hdu + 1;
        fits->is_cut = 1;
        fits_clear_errmark(); /* forgets cfitsio's messages */
        fits_write_errmark();
    }
}

static armilla_status open_screened(const char *name, const int64_t *starts, armilla_fits *fits)
{
    int code = 0;
    begin(fits->path, fits);
    fits_open_diskfile(&fits->handle, name, READONLY, &code);
    if (!code) {
        agree(fits, starts);
        return ARMILLA_OK;
    }
    armilla_status status = armilla_fits_fail(fits, "open it as FITS", code);
    end(fits);
    return status;
}

static armilla_status open_plain(const armilla_plain_file *plain, armilla_fits *fits)
{
    char name[FLEN_FILENAME];
    int64_t *starts = NULL;
    armilla_status status = screen(plain, fits, &starts);
    if (!status) status = plain_name(plain->name, name);
    if (!status) status = open_screened(name, starts, fits);
    armilla_release(starts);
    return status;
}

/* One more descriptor of the file that cfitsio has open. */
static armilla_status open_again(const armilla_plain_file *plain, armilla_fits *fits,
                                 int *descriptor)
{
    struct stat info;
    *descriptor = open(plain->name, O_RDONLY | O_CLOEXEC);
    armilla_status status = ARMILLA_OK;
    if (*descriptor < 0 || fstat(*descriptor, &info))
        status = armilla_fail_file(fits->path, "open it", errno);
    else if (info.st_size != fits->size)
        status = armilla_fail(ARMILLA_ERROR_IO, "%s: changed while it was opened",
                              armilla_path_shown(fits->path));
    if (!status) return status;
    if (*descriptor >= 0) close(*descriptor);
    armilla_fits_close(fits);
    return status;
}

armilla_status armilla_fits_open(const char *path, armilla_fits *fits)
{
    return armilla_fits_open_bytes(path, fits, NULL);
}

armilla_status armilla_fits_open_bytes(const char *path, armilla_fits *fits, int *descriptor)
{
    armilla_file_look look;
    armilla_plain_file plain;
    fits->path = path;
    armilla_status status = armilla_file_inspect(path, &look);
    if (status) return status;
    if (look.kind != ARMILLA_FILE_FITS)
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: no FITS file: it %s",
                            armilla_path_shown(path),
                            look.kind == ARMILLA_FILE_TEXT ? "holds text" : look.description);
    status = armilla_plain_open(path, look.size, look.packing, &plain);
    if (status) return status;
    status = open_plain(&plain, fits);
    if (!status && descriptor) status = open_again(&plain, fits, descriptor);
    armilla_plain_close(&plain);
    return status;
}

armilla_status armilla_fits_create(const char *name, const char *path, armilla_fits *fits)
{
    char plain[FLEN_FILENAME];
    armilla_status status = plain_name(name, plain);
    if (status) return status;
    begin(path, fits);
    fits->size = 0;
    fits->count = fits->is_cut = 0;
    fits->lacking = 0;
    int code = 0;
    fits_create_diskfile(&fits->handle, plain, &code);
    if (!code) return ARMILLA_OK;
    status = armilla_fits_fail(fits, "create it", code);
    end(fits);
    return status;
}

armilla_status armilla_fits_finish(armilla_fits *fits)
{
    int code = 0;
    errno = 0;
    fits_close_file(fits->handle, &code);
    armilla_status status = code ? armilla_fits_fail(fits, "finish it", code) : ARMILLA_OK;
    end(fits);
    return status;
}

void armilla_fits_close(armilla_fits *fits)
{
    int code = 0;
    fits_close_file(fits->handle, &code);
    end(fits);
}

/* --- HDUs ------------------------------------------------------------------------------------- */

armilla_status armilla_fits_check_end(const armilla_fits *fits)
{
    char text[ARMILLA_SIZE_TEXT];
    if (!fits->is_cut && fits->lacking)
        return armilla_fail(ARMILLA_ERROR_FORMAT,
                            "%s: truncated: %s of the data of HDU %d are missing: copy or download "
                            "it again",
                            armilla_path_shown(fits->path),
                            armilla_size_text((double)fits->lacking, text), fits->count - 1);
    if (!fits->is_cut) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: truncated or damaged in the header of HDU %d: copy or download it "
                        "again",
                        armilla_path_shown(fits->path), fits->count);
}

armilla_status armilla_fits_move(const armilla_fits *fits, int hdu, int *type)
{
    int code = 0;
    if (hdu < 0) return armilla_fail_argument("hdu", hdu, "must be at least 0");
    if (hdu == fits->count && fits->is_cut) return armilla_fits_check_end(fits);
    if (hdu >= fits->count) {
        char asked[16];
        snprintf(asked, sizeof asked, "%d", hdu);
        return armilla_fits_fail_hdu(fits, asked);
    }
    fits_movabs_hdu(fits->handle, hdu + 1, type, &code);
    return code ? armilla_fits_fail(fits, "read the header of an HDU", code) : ARMILLA_OK;
}

/* --- Keywords --------------------------------------------------------------------------------- */

/* The value as it stands in the header, quotes included. */
static int raw_value(const armilla_fits *fits, const char *keyword, char value[FLEN_VALUE])
{
    int code = 0;
    fits_read_keyword(fits->handle, keyword, value, NULL, &code);
    return code == 0 && *value;
}

/* Takes off the quotes: '' inside stands for one. */
static void unquote(char *text)
{
    char *to = text;
    for (const char *from = text + 1; *from; from++) {
        if (*from == '\'' && *++from != '\'') break;
        *to++ = *from;
    }
    *to = '\0';
}

int armilla_fits_text(const armilla_fits *fits, const char *keyword,
                      char value[ARMILLA_IO_NAME_SIZE])
{
    char raw[FLEN_VALUE];
    if (!raw_value(fits, keyword, raw)) return 0;
    if (*raw == '\'') unquote(raw);
    size_t length = strlen(raw), blanks = strspn(raw, " ");
    while (length > blanks && raw[length - 1] == ' ') raw[--length] = '\0';
    snprintf(value, ARMILLA_IO_NAME_SIZE, "%s", raw + blanks);
    return 1;
}

int armilla_fits_integer(const armilla_fits *fits, const char *keyword, int64_t *value)
{
    char raw[FLEN_VALUE];
    return raw_value(fits, keyword, raw) && armilla_parse_integer(raw, strlen(raw), value);
}

int armilla_fits_number(const armilla_fits *fits, const char *keyword, double *value)
{
    char raw[FLEN_VALUE];
    return raw_value(fits, keyword, raw) && armilla_parse_number(raw, strlen(raw), value);
}

armilla_status armilla_fits_refuse(const armilla_fits *fits, const char *card, const char *rule)
{
    char value[ARMILLA_IO_NAME_SIZE];
    if (!armilla_fits_text(fits, card, value))
        return armilla_fail(ARMILLA_ERROR_FORMAT,
                            "%s: no map of the sky: the card %s is missing; %s",
                            armilla_path_shown(fits->path), card, rule);
    return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: %s = %s: %s", armilla_path_shown(fits->path),
                        card, value, rule);
}

static int upper(char c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

/* Not strcasecmp, whose idea of i and I depends on the locale. */
int armilla_text_is(const char *text, const char *word)
{
    while (*text && upper(*text) == upper(*word)) text++, word++;
    return *text == *word;
}

/* 'G', "Galactic"; 'E', "ecliptic"; 'C', 'Q', "celestial", "equatorial". */
char armilla_fits_coordsys(const armilla_fits *fits)
{
    char text[ARMILLA_IO_NAME_SIZE];
    if (!armilla_fits_text(fits, "COORDSYS", text)) return 0;
    int letter = upper(*text);
    if (letter == 'E' && upper(text[1]) == 'Q') return 'C';
    if (letter == 'G' || letter == 'E') return (char)letter;
    return letter == 'C' || letter == 'Q' ? 'C' : 0;
}
