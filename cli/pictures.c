/* What the commands that draw share. */
#include "pictures.h"

#include "message.h"

#include <armilla/armilla.h>
#include <string.h>

void pictures_warn_unknown(const char *what, const char *text)
{
    char list[64] = "";
    size_t used = 0;
    for (const char *at = text; (at = armilla_picture_unknown(at));) {
        size_t length = 1; /* of UTF-8, continuation bytes included */
        while ((at[length] & 0xC0) == 0x80) length++;
        if (used + length + 2 > sizeof list) break;
        list[used++] = ' ';
        memcpy(list + used, at, length);
        at += length, used += length;
    }
    list[used] = '\0';
    if (used) warning("%s \"%s\": the picture has a ? in place of%s", what, text, list);
}
