/* "Did you mean ...?" */
#ifndef ARMILLA_CLI_SUGGEST_H
#define ARMILLA_CLI_SUGGEST_H

/* How far typed is from name: typing errors (insert, delete, replace, swap neighbours). 0 if name
 * begins with typed, of at least three letters. */
int suggest_distance(const char *typed, const char *name);

/* Is a name at this distance worth suggesting for what was typed? */
int suggest_close(const char *typed, int distance);

#endif
