/* Reads text files line by line, and names the line where something is wrong. */
#include "lines.h"

#include "message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int lines_wrong(const char *path, int64_t number, const char *what)
{
    return work_error("\"%s\": line %lld: %s", path, (long long)number, what);
}

int lines_read(const char *path, lines_take *take, void *data)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    int code = CLI_OK;
    const int is_standard = strcmp(path, "-") == 0;
    FILE *file = is_standard ? stdin : fopen(path, "r");
    if (!file) return work_error("\"%s\": %s", path, strerror(errno));
    for (int64_t number = 1; code == CLI_OK && (length = getline(&line, &room, file)) >= 0;
         number++)
        code = strlen(line) == (size_t)length
                   ? take(data, number, line)
                   : lines_wrong(path, number, "holds a zero byte; a text is needed");
    if (code == CLI_OK && ferror(file)) code = work_error("\"%s\": %s", path, strerror(errno));
    free(line);
    if (!is_standard) fclose(file);
    return code;
}
