/* Writes the errors, warnings and notes of a command to stderr, each behind the command's name, and
 * tells which exit code goes with an error of the library. */
#include "message.h"

#include "progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *command_name = "";
static int notes_hidden;

void message_setup(const char *command, int quiet)
{
    command_name = command;
    notes_hidden = quiet;
}

static void say(const char *kind, const char *format, va_list arguments)
{
    progress_erase();
    fprintf(stderr, "armilla%s%s: %s", *command_name ? " " : "", command_name, kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
    return CLI_USAGE;
}

int work_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
    return CLI_FAILED;
}

void warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("warning: ", format, arguments);
    va_end(arguments);
}

void note(const char *format, ...)
{
    if (notes_hidden) return;
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
        status == ARMILLA_ERROR_MEMORY ? "; a smaller nside or --lmax needs less memory" : "";
    return work_error("%s%s%s%s", named ? "" : subject, named ? "" : ": ", detail, hint);
}

int library_error(armilla_status status, const char *subject)
{
    data_error(status, subject);
    int avoidable = status == ARMILLA_ERROR_ARGUMENT || status == ARMILLA_ERROR_UNSUPPORTED;
    return avoidable ? CLI_USAGE : CLI_FAILED;
}

int memory_error(void)
{
    return work_error("not enough memory; a smaller nside or --lmax needs less");
}

int finish_stdout(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    return work_error("standard output: %s", strerror(errno));
}
