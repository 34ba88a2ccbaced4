/* Reads the text with which a caller forces choices, answers the stages that ask for them by name,
 * and prints what was chosen. */
#include "base/choice.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One item, name=number, up to a comma or the end. Returned: where it ends; NULL: it is none. */
static const char *read_item(const char *text, armilla_forced *forced)
{
    const size_t length = strcspn(text, "=,");
    if (length == 0 || length >= ARMILLA_FORCED_NAME || text[length] != '=' ||
        forced->count == ARMILLA_FORCED_MOST)
        return NULL;
    char *end;
    const char *number = text + length + 1;
    const int i = forced->count++;
    memcpy(forced->name[i], text, length);
    for (int k = 0; k < i; k++)
        if (strcmp(forced->name[k], forced->name[i]) == 0) return NULL;
    forced->value[i] = strtoll(number, &end, 10);
    return end == number || (*end && *end != ',') || strcmp(end, ",") == 0 ? NULL : end;
}

armilla_status armilla_forced_read(const char *argument, const char *text, armilla_forced *forced)
{
    memset(forced, 0, sizeof *forced);
    for (const char *at = text; at && *at; at += *at == ',')
        if (!(at = read_item(at, forced)))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "%s = \"%s\": must be a list of at most %d different choices, "
                                "name=number, with commas between them",
                                argument, text, ARMILLA_FORCED_MOST);
    return ARMILLA_OK;
}

/* The number of what is forced for a name: of a group if there is any, else of all groups; -1:
 * nothing is. */
static int find_forced(const armilla_forced *forced, const char *group, const char *name)
{
    const size_t length = group ? strlen(group) : 0;
    int found = -1;
    for (int i = 0; forced && i < forced->count; i++) {
        const char *own = forced->name[i];
        if (length && strncmp(own, group, length) == 0 && strcmp(own + length, name) == 0) return i;
        if (strcmp(own, name) == 0) found = i;
    }
    return found;
}

int64_t armilla_forced_choose(armilla_forced *forced, const char *name, int64_t least, int64_t most,
                              int64_t chosen)
{
    const int i = forced ? find_forced(forced, forced->group, name) : -1;
    if (i < 0) return chosen;
    const int first = !forced->asked[i];
    forced->asked[i] = 1;
    if (first || least < forced->least[i]) forced->least[i] = least;
    if (first || most > forced->most[i]) forced->most[i] = most;
    return forced->value[i] >= least && forced->value[i] <= most ? forced->value[i] : chosen;
}

armilla_status armilla_forced_check(const char *argument, const armilla_forced *forced, int all)
{
    for (int i = 0; i < forced->count; i++) {
        const int64_t value = forced->value[i], least = forced->least[i], most = forced->most[i];
        if (!forced->asked[i] && all)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "%s: this plan has no choice \"%s\" that can be forced", argument,
                                forced->name[i]);
        if (!forced->asked[i]) continue;
        if (value < least || value > most)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "%s: %s = %" PRId64 ": must be %" PRId64 " to %" PRId64
                                " in this plan",
                                argument, forced->name[i], value, least, most);
    }
    return ARMILLA_OK;
}

armilla_status armilla_teller_check(const char *name, const void *plan, armilla_choice_fn take)
{
    const armilla_status status = armilla_check_given(name, plan);
    if (status || take) return status;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "take = NULL: must be a function");
}

armilla_teller armilla_teller_of_group(const armilla_teller *teller, const char *group)
{
    armilla_teller inner = *teller;
    snprintf(inner.group, sizeof inner.group, "%s%s", teller->group, group);
    return inner;
}

static int is_forced(const armilla_teller *teller, const char *name, const char *value)
{
    char *end;
    const int64_t number = strtoll(value, &end, 10);
    const int i = find_forced(teller->forced, teller->group, name);
    return i >= 0 && end != value && number == teller->forced->value[i];
}

void armilla_choice_tell(const armilla_teller *teller, const char *name, const char *why,
                         const char *format, ...)
{
    char value[128], full[2 * ARMILLA_FORCED_NAME], reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    snprintf(full, sizeof full, "%s%s", teller->group, name);
    snprintf(reason, sizeof reason, "%s%s", is_forced(teller, name, value) ? "forced; " : "", why);
    const armilla_choice choice = {full, value, reason};
    teller->take(teller->data, &choice);
}
