/* Hands files of labelled arrays to the Python package: the process becomes a Python that runs
 * armilla._files, so that Ctrl-C, standard output and the exit code are its own. */
#include "labelled.h"

#include "message.h"
#include "paths.h"
#include "ranks.h"
#include "suggest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WORDS = 32, NUMBER_SIZE = 24, PATH_SIZE = 4096 };

/* Python's own words about what it lacks would name neither the file nor the way out. */
static const char program[] = "import sys\n"
                              "if sys.path[:1] == ['']: del sys.path[0]\n"
                              "try:\n"
                              "    from armilla._files import main\n"
                              "except ImportError as error:\n"
                              "    sys.exit(f'armilla {sys.argv[1]}: \"{sys.argv[2]}\": NetCDF, "
                              "Zarr and GRIB are read by the '\n"
                              "             f'Python package (make wheel, then pip install "
                              "dist/armilla_sht-*.whl) with '\n"
                              "             f'xarray: " LABELLED_INSTALL "; {sys.executable}, "
                              "which '\n"
                              "             f'ARMILLA_PYTHON replaces, says: {error}')\n"
                              "sys.exit(main(sys.argv[1:]))\n";

int labelled_is(const char *path)
{
    static const char *const endings[] = {".nc",   ".nc4",   ".cdf", ".zarr", ".zarr/",
                                          ".grib", ".grib2", ".grb", ".grb2"};
    for (size_t i = 0; path && i < sizeof endings / sizeof *endings; i++)
        if (path_ends_in(path, endings[i])) return 1;
    return 0;
}

static int check_word(const char *name, const char *word, const char *const *words, int count)
{
    int best = 0, best_distance = 99;
    for (int i = 0; word && i < count; i++) {
        const int distance = suggest_distance(word, words[i]);
        if (strcmp(word, words[i]) == 0) return CLI_OK;
        if (distance < best_distance) best = i, best_distance = distance;
    }
    if (!word) return CLI_OK;
    return usage_error("--%s \"%s\": must be one of the words in --help; the nearest is %s", name,
                       word, words[best]);
}

int labelled_check(const labelled_arguments *given)
{
    static const char *const kinds[] = {"power", "ke"};
    static const char *const rules[] = {"error", "propagate", "zero", "fit"};
    if (ranks_transport())
        return usage_error(
            "ranks cannot read or write NetCDF, Zarr and GRIB; run armilla on one process");
    const int code = check_word("kind", given->kind, kinds, 2);
    return code == CLI_OK ? check_word("missing", given->missing, rules, 4) : code;
}

/* The words of the new process. */
typedef struct words {
    const char *word[MAX_WORDS];
    char numbers[3][NUMBER_SIZE];
    int count, nnumbers;
} words;

static void add(words *self, const char *name, const char *value)
{
    if (!value) return;
    self->word[self->count++] = name;
    self->word[self->count++] = value;
}

static void add_number(words *self, const char *name, int64_t value, int64_t least)
{
    char *text = self->numbers[self->nnumbers];
    if (value < least) return;
    snprintf(text, NUMBER_SIZE, "%lld", (long long)value);
    self->nnumbers++;
    add(self, name, text);
}

/* A Python beside this program, as in a virtual environment; NULL: there is none to be found. */
static const char *beside(char path[PATH_SIZE])
{
    const ssize_t length = readlink("/proc/self/exe", path, PATH_SIZE - sizeof "python3");
    if (length <= 0) return NULL;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash) return NULL;
    strcpy(slash + 1, "python3");
    return access(path, X_OK) == 0 ? path : NULL;
}

static void first_words(words *self, const char *python, const char *name, const char *input,
                        const char *output)
{
    const char *const all[] = {python, "-c", program, name, input, output};
    self->count = (int)(sizeof all / sizeof *all);
    memcpy(self->word, all, sizeof all);
}

int labelled_run(const char *name, const common *base, const char *output,
                 const labelled_arguments *given)
{
    char path[PATH_SIZE];
    words self = {.count = 0};
    const char *python = getenv("ARMILLA_PYTHON");
    if (access(base->files[0], F_OK) != 0)
        return usage_error("\"%s\": there is no such file", base->files[0]);
    if (!python || !*python) python = beside(path);
    if (!python) python = "python3";
    first_words(&self, python, name, base->files[0], output);
    add(&self, "--var", given->var);
    add(&self, "--kind", given->kind);
    add(&self, "--grid", given->grid);
    add(&self, "--from", given->from);
    add(&self, "--missing", given->missing);
    add(&self, "--coordsys", given->coordsys);
    add(&self, "--hdu", given->hdu);
    if (given->image) self.word[self.count++] = "--image";
    if (given->store_double) self.word[self.count++] = "--double";
    add_number(&self, "--lmax", given->lmax, 0);
    add_number(&self, "--iter", given->iterations, 0);
    add_number(&self, "--threads", base->threads, 1);
    if (base->overwrite) self.word[self.count++] = "--overwrite";
    if (base->quiet) self.word[self.count++] = "--quiet";
    self.word[self.count] = NULL;
    execvp(python, (char *const *)(uintptr_t)self.word);
    return work_error("\"%s\": NetCDF, Zarr and GRIB are read by the Python package, and %s cannot "
                      "be started: %s; ARMILLA_PYTHON names another Python",
                      base->files[0], python, strerror(errno));
}
