/* Checks the files of a command before it begins: whether inputs can be read and outputs written,
 * whether the ending of an output's name promises another format, and whether two names lead to one
 * file. */
#include "paths.h"

#include "message.h"
#include "ranks.h"
#include "spool.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* "--mask " or "", to go in front of a path. */
static const char *blank(const named_path *file)
{
    return *file->option ? " " : "";
}

int paths_check_input(const named_path *file)
{
    struct stat info;
    const char *option = file->option, *path = file->path, *space = blank(file);
    if (spool_is_stream(path)) {
        if (!ranks_transport()) return CLI_OK;
        return usage_error("%s%s\"%s\": is a stream, which ranks cannot read; give a file", option,
                           space, path);
    }
    if (stat(path, &info) != 0)
        return usage_error("%s%s\"%s\": %s", option, space, path,
                           errno == ENOENT ? "there is no such file" : strerror(errno));
    if (S_ISDIR(info.st_mode))
        return usage_error("%s%s\"%s\": is a directory; a file is needed", option, space, path);
    if (!S_ISREG(info.st_mode))
        return usage_error("%s%s\"%s\": is not a regular file", option, space, path);
    if (access(path, R_OK) != 0)
        return usage_error("%s%s\"%s\": cannot be read: %s", option, space, path, strerror(errno));
    if (info.st_size == 0) return usage_error("%s%s\"%s\": is empty", option, space, path);
    return CLI_OK;
}

/* The directory part of path ("." if it has none), and the name behind it. */
static int split(const char *path, char directory[PATH_MAX], const char **name)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 1;
    if (length >= PATH_MAX) return usage_error("\"%.40s...\": this name is too long", path);
    memcpy(directory, slash ? path : ".", length);
    directory[length] = '\0';
    if (length == 0) strcpy(directory, "/");
    *name = slash ? slash + 1 : path;
    return CLI_OK;
}

static int check_directory(const named_path *file)
{
    struct stat info;
    char directory[PATH_MAX];
    const char *option = file->option, *path = file->path, *name = path;
    if (split(path, directory, &name) != CLI_OK) return CLI_USAGE;
    if (stat(directory, &info) != 0 && errno == ENOENT)
        return usage_error("%s \"%s\": there is no directory %s; create it first: mkdir -p %s",
                           option, path, directory, directory);
    if (!*name) return usage_error("%s \"%s\": a file name is missing at the end", option, path);
    if (access(directory, W_OK | X_OK) != 0)
        return usage_error("%s \"%s\": cannot write in directory %s: %s", option, path, directory,
                           strerror(errno));
    return CLI_OK;
}

/* Names that mean something else to other programs. */
static int check_habits(const named_path *file, path_format format)
{
    const char *option = file->option, *path = file->path;
    if (strcmp(path, "-") == 0)
        return usage_error(
            "%s \"-\": standard output takes text, and the result is %s; name a file", option,
            format == PATH_PICTURE ? "a picture" : "FITS");
    if (path[0] == '!')
        return usage_error("%s \"%s\": to replace a file write %s %s --overwrite", option, path,
                           option, path + 1);
    return CLI_OK;
}

/* --- Endings ---------------------------------------------------------------------------------- */

enum { IS_FITS, IS_TEXT, IS_PICTURE, IS_OTHER };

static const struct {
    const char *ending, *name;
    int kind;
} endings[] = {
    {".fits", "FITS", IS_FITS},        {".fit", "FITS", IS_FITS},
    {".fts", "FITS", IS_FITS},         {".txt", "text", IS_TEXT},
    {".dat", "text", IS_TEXT},         {".png", "PNG", IS_PICTURE},
    {".csv", "CSV", IS_OTHER},         {".tsv", "TSV", IS_OTHER},
    {".json", "JSON", IS_OTHER},       {".yaml", "YAML", IS_OTHER},
    {".yml", "YAML", IS_OTHER},        {".xml", "XML", IS_OTHER},
    {".npy", "NumPy", IS_OTHER},       {".npz", "NumPy", IS_OTHER},
    {".pkl", "pickle", IS_OTHER},      {".h5", "HDF5", IS_OTHER},
    {".hdf5", "HDF5", IS_OTHER},       {".hdf", "HDF", IS_OTHER},
    {".nc", "NetCDF", IS_OTHER},       {".asdf", "ASDF", IS_OTHER},
    {".parquet", "Parquet", IS_OTHER}, {".jpg", "JPEG", IS_OTHER},
    {".jpeg", "JPEG", IS_OTHER},       {".gif", "GIF", IS_OTHER},
    {".tif", "TIFF", IS_OTHER},        {".tiff", "TIFF", IS_OTHER},
    {".bmp", "BMP", IS_OTHER},         {".webp", "WebP", IS_OTHER},
    {".svg", "SVG", IS_PICTURE},       {".pdf", "PDF", IS_OTHER},
    {".ps", "PostScript", IS_OTHER},   {".eps", "PostScript", IS_OTHER},
    {".html", "HTML", IS_OTHER},       {".bz2", "bzip2", IS_OTHER},
    {".xz", "xz", IS_OTHER},           {".zst", "Zstandard", IS_OTHER},
    {".zip", "ZIP", IS_OTHER},         {".tar", "tar", IS_OTHER},
    {".tgz", "tar", IS_OTHER},         {".z", "compress", IS_OTHER},
};

/* Index of the ending of path without its last `drop` characters; -1: none that tells a format. */
static int find_ending(const char *path, size_t drop)
{
    const size_t length = strlen(path) - drop;
    for (int i = 0; i < (int)(sizeof endings / sizeof *endings); i++) {
        const size_t tail = strlen(endings[i].ending);
        if (length > tail && path[length - tail - 1] != '/' &&
            strncasecmp(path + length - tail, endings[i].ending, tail) == 0)
            return i;
    }
    return -1;
}

int path_is_text(const char *path)
{
    const int found = find_ending(path, 0);
    if (spool_is_standard_output(path)) return 1;
    return found >= 0 && endings[found].kind == IS_TEXT;
}

/* Is it a name for a file of this format? kind -1: the ending tells none. */
static int is_name_of(path_format format, int kind, int is_packed)
{
    const int holds_fits = format == PATH_FITS || format == PATH_SPECTRA;
    const int holds_text = format == PATH_TEXT || format == PATH_SPECTRA;
    if (format == PATH_PICTURE) return kind == IS_PICTURE && !is_packed;
    if (kind == IS_FITS) return holds_fits;
    if (kind == IS_TEXT) return holds_text && !is_packed;
    return kind < 0 && (holds_fits || !is_packed);
}

/* No name may promise another format than what is written into the file. */
static int check_ending(const named_path *file, path_format format)
{
    static const char *const results[] = {"FITS", "FITS or text", "text", "a PNG or SVG picture"};
    static const char *const wishes[] = {".fits or .fits.gz", ".fits, .fits.gz or .txt", ".txt",
                                         ".png or .svg"};
    const int is_packed = path_ends_in(file->path, ".gz");
    const int found = find_ending(file->path, is_packed ? 3 : 0);
    if (is_name_of(format, found < 0 ? -1 : endings[found].kind, is_packed)) return CLI_OK;
    return usage_error("%s \"%s\": the result is %s, not %s%s; choose a name that ends in %s",
                       file->option, file->path, results[format],
                       found < 0 ? "anything" : endings[found].name,
                       is_packed ? " packed by gzip" : "", wishes[format]);
}

static int check_output(const named_path *file, path_format format, int overwrite)
{
    struct stat info, link;
    const char *option = file->option, *path = file->path;
    if (spool_is_standard_output(path) && (format == PATH_TEXT || format == PATH_SPECTRA))
        return CLI_OK;
    if (check_habits(file, format) != CLI_OK) return CLI_USAGE;
    if (lstat(path, &link) != 0) {
        const int code = check_directory(file);
        return code == CLI_OK ? check_ending(file, format) : code;
    }
    if (stat(path, &info) != 0)
        return usage_error("%s \"%s\": is a link to nowhere: %s", option, path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return usage_error("%s \"%s\": is a directory; name a file in it, such as %s%sout.fits",
                           option, path, path, path_ends_in(path, "/") ? "" : "/");
    if (!S_ISREG(info.st_mode))
        return usage_error("%s \"%s\": is not a regular file and is never replaced; name a file",
                           option, path);
    if (!overwrite)
        return usage_error("%s \"%s\": exists already; --overwrite replaces it", option, path);
    if (access(path, W_OK) != 0)
        return usage_error("%s \"%s\": is protected against writing: %s", option, path,
                           strerror(errno));
    const int code = check_directory(file);
    return code == CLI_OK ? check_ending(file, format) : code;
}

/* Do two names lead to one file? Either may not exist yet: then directory and name decide. */
static int same_file(const char *a, const char *b)
{
    struct stat info_a, info_b;
    char directory_a[PATH_MAX], directory_b[PATH_MAX];
    const char *name_a = a, *name_b = b;
    int have_a = stat(a, &info_a) == 0, have_b = stat(b, &info_b) == 0;
    if (have_a && have_b) return info_a.st_dev == info_b.st_dev && info_a.st_ino == info_b.st_ino;
    if (have_a != have_b || split(a, directory_a, &name_a) || split(b, directory_b, &name_b))
        return 0;
    if (strcmp(name_a, name_b) != 0) return 0;
    if (stat(directory_a, &info_a) != 0 || stat(directory_b, &info_b) != 0) return 0;
    return info_a.st_dev == info_b.st_dev && info_a.st_ino == info_b.st_ino;
}

/* outputs[index] against all inputs and the outputs before it. */
static int check_distinct(const path_list *list, int index)
{
    const named_path *output = &list->outputs[index];
    if (spool_is_standard_output(output->path)) return CLI_OK;
    for (int i = 0; i < MAX_PATHS; i++)
        if (list->inputs[i].path && same_file(output->path, list->inputs[i].path))
            return usage_error("%s \"%s\": is also an input; inputs are never replaced",
                               output->option, output->path);
    for (int i = 0; i < index; i++)
        if (list->outputs[i].path && same_file(output->path, list->outputs[i].path))
            return usage_error("%s and %s name the same file \"%s\"", list->outputs[i].option,
                               output->option, output->path);
    return CLI_OK;
}

int paths_check(const path_list *list)
{
    int code = CLI_OK;
    if (!list->outputs[0].path && !list->is_optional)
        return usage_error("-o FILE is missing: name the output file");
    for (int i = 0; i < MAX_PATHS && code == CLI_OK; i++)
        if (list->inputs[i].path) code = paths_check_input(&list->inputs[i]);
    for (int i = 0; i < MAX_PATHS && code == CLI_OK; i++)
        if (list->outputs[i].path) code = check_distinct(list, i);
    for (int i = 0; i < MAX_PATHS && code == CLI_OK; i++)
        if (list->outputs[i].path && ranks_is_first()) /* which writes */
            code = check_output(&list->outputs[i], list->format, list->overwrite);
    return code;
}

int path_ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}
