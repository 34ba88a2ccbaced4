/* Status codes, their names, and the thread-local message. */
#include "base/status.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 512, HEAD_SIZE = 300 };

static _Thread_local char message[MESSAGE_SIZE];
static _Thread_local int system_error;

static const char *const names[] = {
    "ok",          "invalid argument", "out of memory",  "input/output error", "wrong file format",
    "unsupported", "cancelled",        "internal error", "transport error"};

const char *armilla_status_name(armilla_status status)
{
    size_t index = (size_t)status;
    return index < sizeof names / sizeof *names ? names[index] : "unknown status";
}

const char *armilla_status_message(void)
{
    return message;
}

armilla_status armilla_status_record(armilla_status status, const char *text)
{
    return armilla_fail(status, "%s", text ? text : "");
}

int armilla_status_errno(void)
{
    return system_error;
}

/* Where the character of UTF-8 begins that this byte belongs to. */
static size_t character_at(const char *text, size_t byte)
{
    while (byte > 0 && ((unsigned char)text[byte] & 0xc0) == 0x80) byte--;
    return byte;
}

/* A long argument's middle is left out, so that the argument's name before it and the rule behind
 * it both stay. Without memory the end is lost. */
static void leave_out_the_middle(const char *format, va_list arguments, size_t length)
{
    char *whole;
    if (armilla_allocate(&whole, (int64_t)length + 1, 1)) {
        vsnprintf(message, sizeof message, format, arguments);
        return;
    }
    vsnprintf(whole, length + 1, format, arguments);
    const size_t head = character_at(whole, HEAD_SIZE);
    const size_t tail = character_at(whole, length - (sizeof message - sizeof "..." - head) + 3);
    memcpy(message, whole, head);
    snprintf(message + head, sizeof message - head, "...%s", whole + tail);
    armilla_release(whole);
}

armilla_status armilla_fail(armilla_status status, const char *format, ...)
{
    va_list arguments, again;
    system_error = 0;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(message, sizeof message, format, arguments);
    if (length >= MESSAGE_SIZE) leave_out_the_middle(format, again, (size_t)length);
    va_end(again);
    va_end(arguments);
    return status;
}

armilla_status armilla_fail_as(int error, armilla_status status)
{
    system_error = error;
    return status;
}

const char *armilla_size_text(double bytes, char text[ARMILLA_SIZE_TEXT])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB"};
    int unit = 0;
    for (; bytes >= 1000 && unit < 7; unit++) bytes /= 1000;
    snprintf(text, ARMILLA_SIZE_TEXT, unit ? "%.3g %s" : "%.0f %s", bytes, units[unit]);
    return text;
}

armilla_status armilla_fail_memory(double bytes)
{
    char text[ARMILLA_SIZE_TEXT];
    return armilla_fail(ARMILLA_ERROR_MEMORY, "could not allocate %s",
                        armilla_size_text(bytes, text));
}

armilla_status armilla_fail_argument(const char *name, int64_t value, const char *rule)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = %lld: %s", name, (long long)value, rule);
}

armilla_status armilla_check_given(const char *name, const void *pointer)
{
    if (pointer) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = NULL: must be given", name);
}

armilla_status armilla_check_band_limit(int64_t lmax, int64_t mmax)
{
    if (lmax < 0) return armilla_fail_argument("lmax", lmax, "must be at least 0");
    if (lmax > (int64_t)1 << 30) return armilla_fail_argument("lmax", lmax, "must be at most 2^30");
    if (mmax < 0) return armilla_fail_argument("mmax", mmax, "must be at least 0");
    if (mmax > lmax)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "mmax = %lld: must not exceed lmax = %lld",
                            (long long)mmax, (long long)lmax);
    return ARMILLA_OK;
}
