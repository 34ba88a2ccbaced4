/* Edit distance with swaps of neighbours (optimal string alignment): d[i][j] is the distance of the
 * first i letters of one word to the first j of the other; three rows of the table are kept. */
#include "suggest.h"

#include <string.h>

enum { LONGEST = 32 };

static int smallest(int a, int b, int c)
{
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static int edit_distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1];
    int na = (int)strlen(a), nb = (int)strlen(b);
    for (int j = 0; j <= nb; j++) rows[0][j] = j;
    for (int i = 1; i <= na; i++) {
        int *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            int change = a[i - 1] != b[j - 1];
            now[j] = smallest(last[j] + 1, now[j - 1] + 1, last[j - 1] + change);
            int swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swap && before[j - 2] + 1 < now[j]) now[j] = before[j - 2] + 1;
        }
    }
    return rows[na % 3][nb];
}

int suggest_distance(const char *typed, const char *name)
{
    size_t length = strlen(typed);
    if (length > LONGEST || strlen(name) > LONGEST) return LONGEST;
    if (length >= 3 && strncmp(typed, name, length) == 0) return 0;
    return edit_distance(typed, name);
}

int suggest_close(const char *typed, int distance)
{
    return distance <= (strlen(typed) >= 5 ? 2 : 1);
}
