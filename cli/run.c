/* Finds the subcommand that a command line names, and runs it, on one process or in step with other
 * ranks. */
#include "run.h"

#include "commands.h"
#include "completion.h"
#include "manual.h"
#include "message.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "spool.h"
#include "suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_FILES = 2 /* that a command looks at, NULL where there are less */ };

static const command *find_command(const char *name)
{
    for (int i = 0; all_commands[i]; i++)
        if (strcmp(all_commands[i]->name, name) == 0) return all_commands[i];
    return NULL;
}

/* Names that other programs and packages have for what a command does. */
static const char *command_of_others(const char *name)
{
    static const char *const others[][2] = {
        {"anafast", "spectrum"},       {"anafast_cxx", "spectrum"},
        {"map2alm", "analyze"},        {"alm2map", "synthesize"},
        {"alm2map_cxx", "synthesize"}, {"synfast", "simulate"},
        {"syn_alm_cxx", "simulate"},   {"smoothing", "smooth"},
        {"smoothing_cxx", "smooth"},   {"ud_grade", "map --nside"},
        {"udgrade", "map --nside"},    {"alteralm", "rotate"},
        {"rotalm_cxx", "rotate"},      {"rotate_alm", "rotate"},
        {"mollview", "view"},          {"map2tga", "view"},
        {"map2gif", "view"},           {"maskborder", "map --mask"},
        {"remap", "regrid"},           {"sp2gp", "synthesize"},
        {"gp2sp", "analyze"},          {"namaster", "spectrum --decouple"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i][0]) == 0) return others[i][1];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *ours = command_of_others(name);
    if (ours)
        return usage_error("unknown command \"%s\"; its name here is %s %s", name,
                           message_program(), ours);
    if (name[0] == '-')
        return usage_error("option \"%s\" comes before the command; write %s COMMAND %s", name,
                           message_program(), name);
    int best = 0, best_distance = 99;
    for (int i = 0; all_commands[i]; i++) {
        int distance = suggest_distance(name, all_commands[i]->name);
        if (distance < best_distance) best = i, best_distance = distance;
    }
    if (suggest_close(name, best_distance))
        return usage_error("unknown command \"%s\"; did you mean %s?", name,
                           all_commands[best]->name);
    return usage_error("unknown command \"%s\"; \"%s help\" lists the commands", name,
                       message_program());
}

static int print_overview(void)
{
    const char *program = message_program();
    if (!ranks_is_first()) return CLI_OK;
    printf("usage: %s COMMAND [options]\n\n"
           "Spherical harmonic transforms of maps on HEALPix and every other grid of "
           "rings.\n\ncommands:\n",
           program);
    for (int i = 0; all_commands[i]; i++)
        if (options_is_there(all_commands[i]))
            printf("  %-12s %s\n", all_commands[i]->name, all_commands[i]->summary);
    printf(
        "\nAngles carry a unit: 4.7arcmin, 1deg, 30arcsec, 0.01rad.\n"
        "\"%s COMMAND --help\" explains a command, \"%s --version\" prints the version,\n"
        "\"%s completion bash\" (or zsh, fish) prints a script that completes command lines,\n"
        "\"%s --man\" prints the manual page.\n\nexample:\n  %s%s smooth map.fits -o smooth.fits "
        "--fwhm 1deg\n",
        program, program, program, program, ranks_transport() ? "mpirun -n 4 " : "", program);
    return finish_stdout(CLI_OK);
}

static int print_help(const char *name)
{
    const command *self = find_command(name);
    if (!self) return unknown_command(name);
    if (!ranks_is_first()) return CLI_OK;
    options_help(self);
    return finish_stdout(CLI_OK);
}

static int print_completion(const char *shell)
{
    if (!shell || !completion_has(shell))
        return usage_error("completion%s%s%s: the shell must be bash, zsh or fish",
                           shell ? " \"" : "", shell ? shell : "", shell ? "\"" : "");
    if (ranks_is_first()) completion_print(shell);
    return finish_stdout(CLI_OK);
}

static int asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return 1;
    return 0;
}

static int is_any(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static int prepare(const command *self, int argc, char **argv, common *arguments)
{
    if (self->defaults) self->defaults(arguments);
    const int code = options_parse(self, argc, argv, arguments);
    return code == CLI_OK && self->check ? self->check(arguments) : code;
}

/* What every report begins with. */
static void begin_report(const command *self, const common *arguments)
{
    report_setup(arguments->json && ranks_is_first());
    report_text("command", self->name);
    report_text("version", armilla_version());
    if (!options_find(self, "output")) return;
    report_open("inputs", '[');
    for (int64_t i = 0; i < arguments->nfiles; i++) report_text(NULL, arguments->files[i]);
    report_close();
    report_text("output", arguments->output);
}

static int work(const command *self, int argc, char **argv, common *arguments)
{
    int code = ranks_agree(prepare(self, argc, argv, arguments));
    if (code != CLI_OK) return code;
    message_setup(self->name, arguments->quiet);
    progress_setup(arguments->quiet);
    begin_report(self, arguments);
    code = spool_inputs(self, arguments); /* of ranks no input is a stream */
    if (code == CLI_OK) code = self->work(arguments);
    const int printed = code == CLI_OK || self->reports_failure ? report_print() : CLI_OK;
    report_free();
    spool_free();
    return code == CLI_OK ? printed : code;
}

static int run_command(const command *self, int argc, char **argv)
{
    message_setup(self->name, 0);
    if (!options_is_there(self))
        return usage_error("does not run over ranks; run it on one process: armilla %s",
                           self->name);
    if (asks_for_help(argc, argv)) return print_help(self->name);
    common *arguments = calloc(1, self->arguments_size);
    const char **files = calloc((size_t)argc + MIN_FILES, sizeof *files);
    int code = ranks_agree(arguments && files ? CLI_OK : memory_error());
    if (code == CLI_OK) {
        arguments->files = files;
        code = work(self, argc, argv, arguments);
    }
    free(files);
    free(arguments);
    progress_erase();
    return code;
}

static int run_word(int argc, char **argv)
{
    if (argc < 2) return print_overview();
    const char *word = argv[1];
    if (is_any(word, "help", "--help", "-h"))
        return argc > 2 ? print_help(argv[2]) : print_overview();
    if (is_any(word, "version", "--version", "-V")) {
        if (ranks_is_first()) printf("%s %s\n", message_program(), armilla_version());
        return finish_stdout(CLI_OK);
    }
    if (strcmp(word, "completion") == 0) return print_completion(argc > 2 ? argv[2] : NULL);
    if (strcmp(word, "--man") == 0) {
        if (ranks_is_first()) manual_print();
        return finish_stdout(CLI_OK);
    }
    const command *self = find_command(word);
    return self ? run_command(self, argc - 2, argv + 2) : unknown_command(word);
}

int run_command_line(int argc, char **argv)
{
    return ranks_agree(run_word(argc, argv));
}
