/* The extension of a file that --hdu means. */
#ifndef ARMILLA_CLI_HDU_H
#define ARMILLA_CLI_HDU_H

/* Given:    name  what was typed: a number, or the extension's name; NULL: nothing.
 * Returned: *hdu  its number, for an image in the primary HDU ARMILLA_IO_PRIMARY; 0 for NULL. An
 * exit code, after a message unless CLI_OK. */
int hdu_find(const char *path, const char *name, int *hdu);

#endif
