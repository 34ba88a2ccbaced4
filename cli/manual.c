/* Writes the manual page. Texts are filled anew; a line of --help with a gap in it, "--mask    the
 * map ...", is a word that is explained, and lines that begin with a blank go on with it. */
#include "manual.h"

#include "commands.h"
#include "message.h"

#include <armilla/armilla.h>
#include <stdio.h>
#include <string.h>

/* Characters that roff takes for something else. */
static void print_text(const char *text, size_t length)
{
    if (length > 0 && (*text == '.' || *text == '\'')) printf("\\&");
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            printf("\\e");
        else if (text[i] == '-')
            printf("\\-");
        else if (text[i] == '^')
            printf("\\(ha");
        else if (text[i] == '~')
            printf("\\(ti");
        else
            putchar(text[i]);
    }
}

static void print_line(const char *text)
{
    print_text(text, strlen(text));
    putchar('\n');
}

/* What stands in front of a gap of two blanks, or 0. */
static size_t word_length(const char *line, size_t length)
{
    for (size_t i = 1; i + 2 < length; i++)
        if (line[i] == ' ' && line[i + 1] == ' ' && line[i - 1] != '.') return i;
    return 0;
}

/* Lines of a text, in paragraphs. */
static void print_paragraphs(const char *text)
{
    int explains = 0;
    puts(".PP");
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n"), word = *line == ' ' ? 0 : word_length(line, length);
        const size_t blanks = strspn(line, " ");
        if (length == 0) puts(".PP");
        if (word) {
            printf(".TP\n.B ");
            print_text(line, word);
            putchar('\n');
            word += strspn(line + word, " ");
        } else if (explains && blanks == 0) {
            puts(".PP");
        }
        explains = word || (explains && blanks > 0);
        const size_t from = word ? word : blanks;
        if (length > from) {
            print_text(line + from, length - from);
            putchar('\n');
        }
        line += length + (line[length] == '\n');
    }
}

/* An option with all of its names, and its help. */
static void print_option(const command *self, const option *row)
{
    const char *between = "";
    printf(".TP\n");
    for (int t = 0; t < MAX_TABLES && self->tables[t]; t++)
        for (const option *other = self->tables[t]; other->name; other++) {
            if (other->offset != row->offset || (other != row && other->help)) continue;
            printf("%s\\fB\\-%s", between, other->name[1] ? "\\-" : "");
            print_text(other->name, strlen(other->name));
            printf("\\fR");
            between = ", ";
        }
    if (*row->value) {
        printf(" \\fI");
        print_text(row->value, strlen(row->value));
        printf("\\fR");
    }
    putchar('\n');
    print_line(row->help);
}

static void print_command(const command *self)
{
    printf(".SS %s %s\n", message_program(), self->name);
    printf(".B %s ", message_program());
    print_line(self->usage);
    print_paragraphs(self->text);
    for (int t = 0; t < MAX_TABLES && self->tables[t]; t++)
        for (const option *row = self->tables[t]; row->name; row++)
            if (row->help && options_is_shown(self, row)) print_option(self, row);
    if (options_find(self, "output")) {
        printf(".PP\nThe report of \\-\\-json has command, version, inputs, output%s\n",
               self->report ? "," : ".");
        if (self->report) print_paragraphs(self->report);
    } else {
        print_paragraphs(self->report);
    }
    printf(".PP\nExample:\n.PP\n.in +4n\n.nf\n");
    print_line(self->example);
    printf(".fi\n.in\n");
}

static void print_overview(void)
{
    const char *program = message_program();
    printf(".TH ARMILLA 1 \"\" \"Armilla %s\" \"User Commands\"\n", armilla_version());
    printf(".SH NAME\n%s \\- spherical harmonic transforms of maps\n", program);
    printf(
        ".SH SYNOPSIS\n.B %s\n.I COMMAND\n[options]\n.br\n.B %s\n.I COMMAND\n.B \\-\\-help\n.br\n"
        ".B %s completion bash\n|\n.B zsh\n|\n.B fish\n.br\n.B %s \\-\\-man\n.br\n.B %s "
        "\\-\\-version\n",
        program, program, program, program, program);
    printf(
        ".SH DESCRIPTION\n"
        "Simulates, analyzes, filters and draws maps of the sphere in the FITS files of HEALPix\n"
        "and healpy. These are the commands:\n");
    for (int i = 0; all_commands[i]; i++) {
        if (!options_is_there(all_commands[i])) continue;
        printf(".TP\n.B %s\n", all_commands[i]->name);
        print_line(all_commands[i]->summary);
    }
    puts(".PP\nAngles carry a unit: 4.7arcmin, 1deg, 30arcsec, 0.01rad. An existing output is\n"
         "refused without \\-\\-overwrite, and a failure never leaves half a file. An input named\n"
         "\\- is standard input, and pipes are inputs as well: both are copied into TMPDIR first.\n"
         "\\-o \\- writes text to standard output; messages go only to standard error.");
}

void manual_print(void)
{
    print_overview();
    puts(".SH COMMANDS");
    for (int i = 0; all_commands[i]; i++)
        if (options_is_there(all_commands[i])) print_command(all_commands[i]);
    puts(".SH EXIT STATUS\n.TP\n.B 0\nDone.\n.TP\n.B 1\nIt failed while working.\n.TP\n.B 2\n"
         "The command line is wrong; nothing was done.");
    puts(".SH ENVIRONMENT\n.TP\n.B ARMILLA_NUM_THREADS\nThe number of threads, unless "
         "\\-\\-threads is given.\n"
         ".TP\n.B OMP_NUM_THREADS\nThe same, if ARMILLA_NUM_THREADS is not set.\n.TP\n.B TMPDIR\n"
         "The directory for unpacked files and copies of streams; default /tmp.\n.TP\n"
         ".B ARMILLA_ISA\nThe instruction set of the kernels, such as avx2.");
    puts(".SH SEE ALSO\n.BR anafast (1),\n.BR synfast (1)\nof HEALPix.");
}
