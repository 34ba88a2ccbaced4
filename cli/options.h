/* Command lines, read by tables: one row per option, which says where its value goes. */
#ifndef ARMILLA_CLI_OPTIONS_H
#define ARMILLA_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,      /* int, set to 1; takes no value */
    OPTION_TEXT,      /* const char * */
    OPTION_INPUT,     /* const char *: a file that is read; "-" is standard input */
    OPTION_INTEGER,   /* int64_t, within minimum .. maximum */
    OPTION_STEPS,     /* the same, or the word auto: STEPS_AUTO */
    OPTION_SEED,      /* uint64_t */
    OPTION_TOLERANCE, /* double, 0 < value < 1 */
    OPTION_ANGLE,     /* double, radians, 0 .. pi; written with a unit */
    OPTION_ARCMIN,    /* the same, written as a bare number of arc minutes (HEALPix) */
    OPTION_RANGE,     /* double[2], rising */
    OPTION_GRID,      /* grid_choice: a name that armilla_grid_new_named takes, not NESTED */
    OPTION_NSIDE,     /* grid_choice: HEALPix, by its nside within minimum .. maximum */
    OPTION_GRID_NAME, /* const char *: a name that armilla_grid_new_named takes */
    OPTION_DEVICE,    /* int, an armilla_device, written cpu or cuda */
    OPTION_DEVICES    /* device_list, written N,N,... */
} option_kind;

typedef struct option {
    const char *name; /* without the dashes */
    option_kind kind;
    size_t offset;            /* of the value in the command's arguments */
    const char *value;        /* what the help calls the value: "N", "FILE", or words: "a|b" */
    const char *help;         /* NULL: another name of an option with help, listed beside it */
    int64_t minimum, maximum; /* OPTION_INTEGER, OPTION_STEPS, OPTION_NSIDE */
} option;

enum {
    STEPS_DEFAULT = -1, /* nothing was said */
    STEPS_AUTO = -2,    /* as many as are of use */
    MAX_TABLES = 3,     /* of options of a command */
    MANY_FILES = 1 << 20,
    MAX_DEGREE = 1 << 30, /* limits of the library and of HEALPix */
    MAX_NSIDE = 1 << 29,
    MAX_DEVICES = 64
};

/* On which grid a map is to be: see pixel_grid.h. */
typedef struct grid_choice {
    const char *name; /* NULL: by nside alone, or not chosen */
    int64_t nside;    /* of HEALPix, else 0 */
} grid_choice;

/* GPUs, each once; none: the current one. */
typedef struct device_list {
    int numbers[MAX_DEVICES];
    int64_t count;
} device_list;

/* For options of the library. */
static inline const int *device_numbers(const device_list *list)
{
    return list->count ? list->numbers : NULL;
}

/* The arguments of every command begin with these. */
typedef struct common {
    const char **files; /* arguments that are no options; NULL behind the last of them */
    int64_t nfiles;
    const char *output;
    int64_t threads;
    int64_t simul_type; /* HEALPix: 1 temperature, 2 with polarisation; sets pol */
    int overwrite, quiet, pol, json, single;
    int device; /* an armilla_device */
    device_list devices;
} common;

typedef struct command {
    const char *name;
    const char *summary; /* half a line, for the list of commands */
    const char *usage;   /* what follows "armilla " */
    const char *text;    /* a few sentences */
    const char *example;
    int64_t min_files, max_files;
    const char *file_missing; /* message when fewer than min_files are given */
    int in_floats;            /* can it transform with floats? Else --float is refused */
    int over_ranks;           /* does armilla-mpi have it? */
    int reports_failure;      /* does --json print what is known after an error, too? */
    const char *report;       /* what --json has besides command, version, inputs and output */
    const option *tables[MAX_TABLES]; /* each ends with a row of name NULL; unused ones are NULL */
    /* One run: arguments of this size, all 0, get their defaults, then what the command line says;
     * check refuses contradictions and looks at the names of files; work reads, works and writes.
     * defaults and check may be NULL. The last two return exit codes, after a message. */
    size_t arguments_size;
    void (*defaults)(void *arguments);
    int (*check)(void *arguments);
    int (*work)(void *arguments);
} command;

#define DEVICES_HELP "with --device cuda: numbers of the GPUs that share the work, such as 0,1"

/* Tables for the options that several commands share. */
extern const option output_options[]; /* -o --overwrite --quiet --json */
extern const option work_options[]; /* those, and --threads, --device, --devices, --float, --pol */

/* Reads argv[0 .. argc - 1], what follows the command's name, into arguments (a struct that begins
 * with common and holds the defaults). Returns CLI_OK, or CLI_USAGE after a message. */
int options_parse(const command *self, int argc, char **argv, void *arguments);

/* The row of an option, by its name without dashes; NULL if the command does not have it. */
const option *options_find(const command *self, const char *name);

/* Does this program have the command? armilla-mpi has not all of them. */
int options_is_there(const command *self);

/* Is the option one of those that --help shows here? */
int options_is_shown(const command *self, const option *row);

/* Prints the help of a command to stdout. */
void options_help(const command *self);

#endif
