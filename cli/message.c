/* Writes the errors, warnings and notes of a command to stderr, each behind the command's name, and
 * tells which exit code goes with an error of the library. */
#include "message.h"

#include "progress.h"
#include "ranks.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELD_SIZE = 2048, LONGEST = 1000, ALIASES = 16 };

static const char *program_name = "armilla", *command_name = "";
static int notes_hidden;
static struct {
    const char *real, *shown;
} aliases[ALIASES];
static int naliases;
static char held[HELD_SIZE]; /* the first error of this rank, until ranks agree */

void message_set_program(const char *name)
{
    program_name = name;
}

const char *message_program(void)
{
    return program_name;
}

void message_setup(const char *command, int quiet)
{
    command_name = command;
    notes_hidden = quiet;
}

void message_alias(const char *real, const char *shown)
{
    if (!real) naliases = 0;
    if (!real || naliases == ALIASES) return;
    aliases[naliases].real = real;
    aliases[naliases++].shown = shown;
}

const char *message_shown(const char *name)
{
    for (int i = 0; i < naliases; i++)
        if (strcmp(name, aliases[i].real) == 0) return aliases[i].shown;
    return name;
}

/* The alias whose real name begins here, or -1. */
static int find_alias(const char *text)
{
    for (int i = 0; i < naliases; i++)
        if (strncmp(text, aliases[i].real, strlen(aliases[i].real)) == 0) return i;
    return -1;
}

void message_write(FILE *stream, const char *text)
{
    while (*text) {
        const int alias = find_alias(text);
        if (alias < 0) {
            fputc(*text++, stream);
            continue;
        }
        fputs(aliases[alias].shown, stream);
        text += strlen(aliases[alias].real);
    }
}

static void begin_line(const char *kind)
{
    progress_erase();
    fprintf(stderr, "%s%s%s: %s", program_name, *command_name ? " " : "", command_name, kind);
}

/* A message's text. What is longer than any of ours has a long argument, whose middle the library
 * leaves out. */
static void compose(char text[HELD_SIZE], const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(text, HELD_SIZE, format, arguments);
    char *whole = length > LONGEST ? malloc((size_t)length + 1) : NULL;
    if (whole && vsnprintf(whole, (size_t)length + 1, format, again) == length) {
        armilla_status_record(ARMILLA_ERROR_ARGUMENT, whole);
        snprintf(text, HELD_SIZE, "%s", armilla_status_message());
    }
    free(whole);
    va_end(again);
}

static void say(const char *kind, const char *format, va_list arguments)
{
    char text[HELD_SIZE];
    compose(text, format, arguments);
    begin_line(kind);
    message_write(stderr, text);
    fputc('\n', stderr);
}

/* An error is that of a rank until all have agreed. */
static void say_error(const char *format, va_list arguments)
{
    if (!ranks_transport())
        say("", format, arguments);
    else if (!*held)
        compose(held, format, arguments);
}

void message_settle(int is_shown)
{
    if (is_shown && *held) {
        begin_line("");
        if (!ranks_is_first()) fprintf(stderr, "rank %lld: ", (long long)ranks_transport()->rank);
        fprintf(stderr, "%s\n", held);
    }
    held[0] = '\0';
}

int usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_error(format, arguments);
    va_end(arguments);
    return CLI_USAGE;
}

int work_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_error(format, arguments);
    va_end(arguments);
    return CLI_FAILED;
}

void warning(const char *format, ...)
{
    if (!ranks_is_first()) return;
    va_list arguments;
    va_start(arguments, format);
    say("warning: ", format, arguments);
    va_end(arguments);
}

void note(const char *format, ...)
{
    if (notes_hidden || !ranks_is_first()) return;
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
}

int data_error(armilla_status status, const char *subject)
{
    if (status == ARMILLA_ERROR_CANCELLED) return work_error("interrupted; no output was written");
    const char *detail = armilla_status_message();
    if (!*detail) detail = armilla_status_name(status);
    int named = !subject || strstr(detail, subject) != NULL;
    const char *hint =
        status == ARMILLA_ERROR_MEMORY ? "; a smaller grid or --lmax needs less memory" : "";
    work_error("%s%s%s%s", named ? "" : subject, named ? "" : ": ", detail, hint);
    if (status == ARMILLA_ERROR_TRANSPORT) ranks_abandon(); /* others may wait for this rank */
    return CLI_FAILED;
}

int library_error(armilla_status status, const char *subject)
{
    data_error(status, subject);
    int avoidable = status == ARMILLA_ERROR_ARGUMENT || status == ARMILLA_ERROR_UNSUPPORTED;
    return avoidable ? CLI_USAGE : CLI_FAILED;
}

int memory_error(void)
{
    return work_error("not enough memory; a smaller grid or --lmax needs less");
}

int finish_stdout(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    return work_error("standard output: %s", strerror(errno));
}
