/* Reads command lines by tables of options, and says what is wrong in them. */
#include "options.h"

#include "option_values.h"
#include "message.h"
#include "ranks.h"
#include "spool.h"
#include "suggest.h"

#include <armilla/armilla.h>
#include <stdio.h>
#include <string.h>

enum { MAX_GIVEN = 64, NAME_SIZE = 40, HELP_LEFT = 27, HELP_RIGHT = 100 };

#define OUTPUT_ROWS                                                                                \
    {"output", OPTION_TEXT, offsetof(common, output), "FILE", "write the result to FILE", 0, 0},   \
        {"o", OPTION_TEXT, offsetof(common, output), "FILE", NULL, 0, 0},                          \
        {"outfile", OPTION_TEXT, offsetof(common, output), "FILE", NULL, 0, 0},                    \
        {"overwrite",                                                                              \
         OPTION_FLAG,                                                                              \
         offsetof(common, overwrite),                                                              \
         "",                                                                                       \
         "replace an existing FILE",                                                               \
         0,                                                                                        \
         0},                                                                                       \
        {"quiet", OPTION_FLAG, offsetof(common, quiet), "", "hide notes and progress", 0, 0},      \
    {                                                                                              \
        "json", OPTION_FLAG, offsetof(common, json), "", "report the result as JSON, see below",   \
            0, 0                                                                                   \
    }

const option output_options[] = {OUTPUT_ROWS, {.name = NULL}};

const option work_options[] = {
    OUTPUT_ROWS,
    {"threads", OPTION_INTEGER, offsetof(common, threads), "N",
     "use N threads; 0 (default): ARMILLA_NUM_THREADS, OMP_NUM_THREADS, or all", 0, 4096},
    {"device", OPTION_DEVICE, offsetof(common, device), "cpu|cuda",
     "where transforms run: cpu (default) or cuda, an NVIDIA GPU", 0, 0},
    {"devices", OPTION_DEVICES, offsetof(common, devices), "N,N,...", DEVICES_HELP, 0, 0},
    {"float", OPTION_FLAG, offsetof(common, single), "",
     "use single precision, accurate to about 1e-6; iterations of an analysis use double precision",
     0, 0},
    {"pol", OPTION_FLAG, offsetof(common, pol), "",
     "with polarisation: maps of I, Q, U and coefficients of T, E, B", 0, 0},
    {"polarisation", OPTION_FLAG, offsetof(common, pol), "", NULL, 0, 0},
    {"simul_type", OPTION_INTEGER, offsetof(common, simul_type), "N",
     "HEALPix parameter: 1 is temperature only, 2 is the same as --pol", 1, 6},
    {.name = NULL},
};

/* What has been read so far. */
typedef struct parser {
    const command *self;
    int argc, next;
    char **argv;
    void *arguments;
    const option *given[MAX_GIVEN];
    int ngiven;
    int only_files; /* after "--" */
} parser;

static const char *dashes(const char *name)
{
    return name[1] ? "--" : "-";
}

const option *options_find(const command *self, const char *name)
{
    for (int t = 0; t < MAX_TABLES && self->tables[t]; t++)
        for (const option *row = self->tables[t]; row->name; row++)
            if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

static int unknown_option(const command *self, const char *shown, const char *name)
{
    const char *best = NULL;
    int best_distance = 99;
    for (int t = 0; t < MAX_TABLES && self->tables[t]; t++)
        for (const option *row = self->tables[t]; row->name; row++) {
            int distance = suggest_distance(name, row->name);
            if (distance < best_distance && row->name[1])
                best_distance = distance, best = row->name;
        }
    if (best && suggest_close(name, best_distance))
        return usage_error("unknown option %s; did you mean --%s?", shown, best);
    return usage_error("unknown option %s; \"%s %s --help\" lists the options", shown,
                       message_program(), self->name);
}

/* Refuses a second value for the same thing, under whichever name. */
static int check_once(parser *p, const option *row)
{
    for (int i = 0; i < p->ngiven; i++) {
        const option *old = p->given[i];
        if (old->offset != row->offset) continue;
        if (strcmp(old->name, row->name) == 0)
            return usage_error("%s%s is given twice", dashes(row->name), row->name);
        return usage_error("%s%s and %s%s mean the same; give only one of them", dashes(old->name),
                           old->name, dashes(row->name), row->name);
    }
    if (p->ngiven < MAX_GIVEN) p->given[p->ngiven++] = row;
    return CLI_OK;
}

/* Does the word look like an option of this command, so that it cannot be meant as a value? */
static int is_option(const command *self, const char *word)
{
    char name[NAME_SIZE];
    if (word[0] != '-' || !word[1]) return 0;
    word += word[1] == '-' ? 2 : 1;
    size_t length = strcspn(word, "=");
    if (length >= sizeof name) return 0;
    memcpy(name, word, length);
    name[length] = '\0';
    return length == 0 || options_find(self, name) != NULL;
}

/* Stores the option's value: what follows "=", or the next word. */
static int take_value(parser *p, const option *row, const char *value)
{
    const char *lead = dashes(row->name);
    if (row->kind == OPTION_FLAG) {
        if (value) return usage_error("%s%s takes no value", lead, row->name);
        *(int *)((char *)p->arguments + row->offset) = 1;
        return CLI_OK;
    }
    if (!value) {
        if (p->next >= p->argc || is_option(p->self, p->argv[p->next]))
            return usage_error("%s%s needs a value: %s%s %s", lead, row->name, lead, row->name,
                               row->value);
        value = p->argv[p->next++];
    }
    if (!*value)
        return usage_error("%s%s has an empty value; write %s%s %s", lead, row->name, lead,
                           row->name, row->value);
    const char *wrong = convert_value(row, value, (char *)p->arguments + row->offset);
    if (wrong) return usage_error("%s%s \"%s\": %s", lead, row->name, value, wrong);
    return CLI_OK;
}

static int take_option(parser *p, const char *word)
{
    char name[NAME_SIZE];
    const char *start = word + (word[1] == '-' ? 2 : 1);
    size_t length = strcspn(start, "=");
    if (length >= sizeof name) return unknown_option(p->self, word, "");
    memcpy(name, start, length);
    name[length] = '\0';
    const option *row = options_find(p->self, name);
    int short_form = word[1] != '-';
    if (!row || (short_form && row->name[1])) return unknown_option(p->self, word, name);
    int code = check_once(p, row);
    if (code != CLI_OK) return code;
    return take_value(p, row, start[length] ? start + length + 1 : NULL);
}

static int take_file(parser *p, const char *word)
{
    common *base = p->arguments;
    if (!*word) return usage_error("an argument is empty where a file name should be");
    if (base->nfiles >= p->self->max_files)
        return usage_error("unexpected argument \"%s\"; usage: %s %s", word, message_program(),
                           p->self->usage);
    base->files[base->nfiles++] = word;
    return CLI_OK;
}

/* --simul_type is HEALPix' word for --pol. */
static int check_polarisation(common *base)
{
    if (base->simul_type > 2)
        return usage_error(
            "--simul_type \"%lld\": maps of derivatives are not in this version; 1 is "
            "temperature, 2 with polarisation",
            (long long)base->simul_type);
    if (base->simul_type == 1 && base->pol)
        return usage_error("--pol and --simul_type 1 contradict each other; give only one of them");
    if (base->simul_type == 2) base->pol = 1;
    return CLI_OK;
}

/* Is there a GPU? Asked before anything is read. */
static int check_device(const common *base)
{
    armilla_device_description description = {.size = sizeof description};
    if (base->device != ARMILLA_CUDA)
        return base->devices.count
                   ? usage_error("--devices: names GPUs; give --device cuda as well")
                   : CLI_OK;
    if (ranks_transport())
        return usage_error("--device cuda: is not available over ranks; omit it");
    armilla_status status = armilla_device_describe(ARMILLA_CUDA, &description);
    return status ? library_error(status, NULL) : CLI_OK;
}

static int check_single(const command *self, const common *base)
{
    if (!base->single) return CLI_OK;
    if (ranks_transport()) return usage_error("--float: is not available over ranks; omit it");
    if (!self->in_floats)
        return usage_error("--float: %s works only in double precision; omit --float", self->name);
    return CLI_OK;
}

static int check_common(const command *self, common *base)
{
    if (base->nfiles < self->min_files)
        return usage_error("%s; usage: %s %s", self->file_missing, message_program(), self->usage);
    if (base->json && base->output && spool_is_standard_output(base->output))
        return usage_error("--json and -o %s: both write to standard output; name a file for -o",
                           base->output);
    int code = check_single(self, base);
    if (code == CLI_OK) code = check_polarisation(base);
    if (base->devices.count) message_alias("options->devices", "--devices");
    return code == CLI_OK ? check_device(base) : code;
}

int options_parse(const command *self, int argc, char **argv, void *arguments)
{
    parser p = {.self = self, .argc = argc, .argv = argv, .arguments = arguments};
    while (p.next < argc) {
        const char *word = argv[p.next++];
        int code = CLI_OK;
        if (!p.only_files && strcmp(word, "--") == 0)
            p.only_files = 1;
        else if (!p.only_files && word[0] == '-' && word[1])
            code = take_option(&p, word);
        else
            code = take_file(&p, word);
        if (code != CLI_OK) return code;
    }
    return check_common(self, arguments);
}

/* The other names of an option, in a line of their own. */
static void print_names(const command *self, const option *row)
{
    const char *between = "also";
    for (int t = 0; t < MAX_TABLES && self->tables[t]; t++)
        for (const option *other = self->tables[t]; other->name; other++) {
            if (other->help || other->offset != row->offset || !other->name[1]) continue;
            if (*between == 'a') printf("  %-24s ", "");
            printf("%s --%s", between, other->name);
            between = ",";
        }
    if (*between == ',') putchar('\n');
}

/* The help of an option, with line breaks between words. */
static void print_words(const char *text)
{
    int column = HELP_LEFT;
    for (const char *word = text; *word;) {
        const int length = (int)strcspn(word, " ");
        const int breaks = column + length >= HELP_RIGHT;
        if (word > text) printf("%s%*s", breaks ? "\n" : " ", breaks ? HELP_LEFT : 0, "");
        printf("%.*s", length, word);
        column = (breaks ? HELP_LEFT : column + (word > text)) + length;
        word += length;
        word += strspn(word, " ");
    }
    putchar('\n');
}

static void print_row(const option *row)
{
    char left[2 * NAME_SIZE];
    int is_output = strcmp(row->name, "output") == 0;
    snprintf(left, sizeof left, "  %s--%s%s%s", is_output ? "-o, " : "", row->name,
             *row->value ? " " : "", row->value);
    if (strlen(left) < HELP_LEFT)
        printf("%-*s", HELP_LEFT, left);
    else
        printf("%s\n%*s", left, HELP_LEFT, "");
    print_words(row->help);
}

int options_is_there(const command *self)
{
    return self->over_ranks || !ranks_transport();
}

int options_is_shown(const command *self, const option *row)
{
    const int is_single = row->kind == OPTION_FLAG && row->offset == offsetof(common, single);
    const int is_device = row->kind == OPTION_DEVICE || row->kind == OPTION_DEVICES;
    if (!is_device && !is_single) return 1;
    return (!is_single || self->in_floats) && !ranks_transport();
}

/* The members of the report. */
static void print_report(const command *self)
{
    if (!options_find(self, "output")) { /* which then has its own words for them */
        printf("\n%s\n", self->report);
        return;
    }
    printf("\n--json writes an object to standard output: command, version, inputs, output%s%s.\n",
           self->report ? ",\n" : "", self->report ? self->report : "");
}

void options_help(const command *self)
{
    printf("usage: %s %s\n\n%s\n\noptions:\n", message_program(), self->usage, self->text);
    for (int t = 0; t < MAX_TABLES && self->tables[t]; t++)
        for (const option *row = self->tables[t]; row->name; row++)
            if (row->help && options_is_shown(self, row)) {
                print_row(row);
                print_names(self, row);
            }
    printf("  %-24s %s\n", "-h, --help", "show this help");
    print_report(self);
    printf("\nexample:\n  %s%s%s\n", ranks_transport() ? "mpirun -n 4 " : "", message_program(),
           self->example + strlen("armilla"));
}
