/* Writes scripts that complete command lines. All that they know of commands, options and values
 * stands in them, so that completion starts no process. */
#include "completion.h"

#include "commands.h"
#include "message.h"

#include <stdio.h>
#include <string.h>

/* What a value is. */
typedef enum value_kind { NO_VALUE, SOME_VALUE, FILE_VALUE, WORDS } value_kind;

static value_kind kind_of(const option *row)
{
    if (row->kind == OPTION_FLAG) return NO_VALUE;
    if (strchr(row->value, '|') || row->kind == OPTION_GRID || row->kind == OPTION_GRID_NAME)
        return WORDS;
    return strcmp(row->value, "FILE") == 0 ? FILE_VALUE : SOME_VALUE;
}

/* How the names of grids begin that have a word in front. */
#define GRID_WORDS "healpix: gl: cc: f1: f2: dh: mw: mwss: mwflip: rgl:"

/* The words that a value can be, with blanks between; of a grid, its beginning. */
static void print_words(const option *row)
{
    if (row->kind == OPTION_GRID || row->kind == OPTION_GRID_NAME) {
        printf(GRID_WORDS);
        return;
    }
    for (const char *c = row->value; *c; c++) putchar(*c == '|' ? ' ' : *c);
}

/* The help of an option; that of another name is the first one's. */
static const char *help_of(const command *self, const option *row)
{
    for (int t = 0; t < MAX_TABLES && self->tables[t]; t++)
        for (const option *other = self->tables[t]; other->name; other++)
            if (other->offset == row->offset && other->help) return other->help;
    return "";
}

typedef void (*option_fn)(const command *self, const option *row);

static void for_each_option(const command *self, option_fn act)
{
    for (int t = 0; t < MAX_TABLES && self->tables[t]; t++)
        for (const option *row = self->tables[t]; row->name; row++)
            if (options_is_shown(self, row)) act(self, row);
}

static void for_each_command(void (*act)(const command *self))
{
    for (int i = 0; all_commands[i]; i++)
        if (options_is_there(all_commands[i])) act(all_commands[i]);
}

/* A text in which some characters have a sign in front of them. */
static void print_escaped(const char *text, const char *special, const char *sign)
{
    for (; *text; text++) {
        if (strchr(special, *text)) printf("%s", sign);
        putchar(*text);
    }
}

static const char *dashes(const option *row)
{
    return row->name[1] ? "--" : "-";
}

/* --- bash ------------------------------------------------------------------------------------- */

static void print_name(const command *self)
{
    printf(" %s", self->name);
}

static void print_option(const command *self, const option *row)
{
    (void)self;
    printf(" %s%s", dashes(row), row->name);
}

/* What comes behind an option. Of a file, and of an option without a value, there is nothing to
 * say: files and options are what is completed elsewhere. */
static void print_bash_value(const command *self, const option *row)
{
    const value_kind kind = kind_of(row);
    if (kind == FILE_VALUE || kind == NO_VALUE) return;
    printf("    %s:%s%s) ", self->name, dashes(row), row->name);
    if (kind == WORDS) {
        printf("words=\"");
        print_words(row);
        puts("\" ;;");
    } else {
        puts("return ;;");
    }
}

static void print_bash_command(const command *self)
{
    printf("    %s) options=\"", self->name);
    for_each_option(self, print_option);
    printf(" --help\" ;;\n");
}

static void print_bash_values(const command *self)
{
    for_each_option(self, print_bash_value);
}

/* bash takes "=" and ":" for words of their own. */
static const char bash_start[] =
    "_armilla() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local name=${COMP_WORDS[1]} options= words=\n"
    "    COMPREPLY=()\n"
    "    [ \"$word\" != : ] && [ \"$before\" != : ] || return 0\n"
    "    [ \"$word\" != = ] || word=\n"
    "    if [ \"$before\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    if [ \"$COMP_CWORD\" -eq 1 ] || [ \"$name $COMP_CWORD\" = \"help 2\" ]; then\n"
    "        COMPREPLY=($(compgen -W \"";

static const char bash_middle[] = " help completion --help --version --man\" -- \"$word\"))\n"
                                  "        return\n"
                                  "    fi\n"
                                  "    case $name in\n"
                                  "    completion) words=\"bash zsh fish\" ;;\n";

static const char bash_end[] =
    "    esac\n"
    "    if [ -n \"$words\" ]; then\n"
    "        [ \"$words\" != '" GRID_WORDS "' ] || compopt -o nospace 2>/dev/null\n"
    "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
    "    elif [[ $word == -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
    "    else\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
    "    fi\n"
    "}\n";

static void print_bash(void)
{
    const char *program = message_program();
    printf("# Completion of %s for bash, made by \"%s completion bash\".\n%s", program, program,
           bash_start);
    for_each_command(print_name);
    printf("%s", bash_middle);
    for_each_command(print_bash_command);
    printf("    *) return ;;\n    esac\n    case $name:$before in\n");
    for_each_command(print_bash_values);
    printf("%scomplete -F _armilla %s\n", bash_end, program);
}

/* --- zsh -------------------------------------------------------------------------------------- */

static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\''");
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void print_zsh_option(const command *self, const option *row)
{
    const value_kind kind = kind_of(row);
    const int is_short = !row->name[1];
    printf("            '%s%s%s[", dashes(row), row->name,
           kind == NO_VALUE ? ""
           : is_short       ? ""
                            : "=");
    print_zsh_text(help_of(self, row));
    putchar(']');
    if (kind != NO_VALUE) {
        putchar(':');
        print_zsh_text(kind == WORDS ? "value" : row->value);
        putchar(':');
    }
    if (kind == FILE_VALUE) printf("_files");
    if (kind == WORDS) {
        putchar('(');
        print_words(row);
        putchar(')');
    }
    printf("' \\\n");
}

static void print_zsh_name(const command *self)
{
    printf("        '%s:", self->name);
    print_zsh_text(self->summary);
    printf("'\n");
}

static void print_zsh_command(const command *self)
{
    printf("    %s)\n        _arguments -S -s \\\n", self->name);
    for_each_option(self, print_zsh_option);
    printf("            '(- *)'{-h,--help}'[this text]' \\\n            '*:file:_files'\n        "
           ";;\n");
}

static void print_zsh(void)
{
    const char *program = message_program();
    printf("#compdef %s\n# Completion of %s for zsh, made by \"%s completion zsh\".\n", program,
           program, program);
    printf("_armilla() {\n"
           "    local -a commands\n"
           "    commands=(\n");
    for_each_command(print_zsh_name);
    printf("        'help:explain a command'\n"
           "        'completion:print a script that completes command lines'\n"
           "    )\n"
           "    if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n"
           "        _describe command commands\n"
           "        return\n"
           "    fi\n"
           "    local name=$words[2]\n"
           "    shift words\n"
           "    (( CURRENT-- ))\n"
           "    case $name in\n"
           "    completion) _values shell bash zsh fish ;;\n");
    for_each_command(print_zsh_command);
    printf("    esac\n"
           "}\n"
           "if [[ $funcstack[1] == _armilla ]]; then\n"
           "    _armilla \"$@\"\n"
           "else\n"
           "    compdef _armilla %s\n"
           "fi\n",
           program);
}

/* --- fish ------------------------------------------------------------------------------------- */

static void print_fish_quoted(const char *text)
{
    putchar('\'');
    print_escaped(text, "'\\", "\\");
    putchar('\'');
}

static void print_fish_option(const command *self, const option *row)
{
    const value_kind kind = kind_of(row);
    printf("complete -c %s -n '__fish_seen_subcommand_from %s' %s %s", message_program(),
           self->name, row->name[1] ? "-l" : "-s", row->name);
    if (kind == SOME_VALUE) printf(" -x");
    if (kind == FILE_VALUE) printf(" -r -F");
    if (kind == WORDS) {
        printf(" -x -a '");
        print_words(row);
        putchar('\'');
    }
    printf(" -d ");
    print_fish_quoted(help_of(self, row));
    putchar('\n');
}

static void print_fish_name(const command *self)
{
    printf("complete -c %s -f -n __fish_use_subcommand -a %s -d ", message_program(), self->name);
    print_fish_quoted(self->summary);
    putchar('\n');
}

static void print_fish_command(const command *self)
{
    for_each_option(self, print_fish_option);
    printf("complete -c %s -n '__fish_seen_subcommand_from %s' -s h -l help -d 'this text'\n",
           message_program(), self->name);
}

static void print_fish(void)
{
    const char *program = message_program();
    printf("# Completion of %s for fish, made by \"%s completion fish\".\n", program, program);
    for_each_command(print_fish_name);
    printf("complete -c %s -f -n __fish_use_subcommand -a help -d 'explain a command'\n", program);
    printf("complete -c %s -f -n __fish_use_subcommand -a completion -d 'print a script'\n",
           program);
    printf("complete -c %s -f -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'\n",
           program);
    for_each_command(print_fish_command);
}

/* ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *shell;
    void (*print)(void);
} scripts[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
enum { NSCRIPTS = sizeof scripts / sizeof *scripts };

int completion_has(const char *shell)
{
    for (int i = 0; i < NSCRIPTS; i++)
        if (strcmp(scripts[i].shell, shell) == 0) return 1;
    return 0;
}

void completion_print(const char *shell)
{
    for (int i = 0; i < NSCRIPTS; i++)
        if (strcmp(scripts[i].shell, shell) == 0) scripts[i].print();
}
