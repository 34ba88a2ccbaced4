/* What the commands that draw share: view (maps) and plot (spectra). */
#ifndef ARMILLA_CLI_PICTURES_H
#define ARMILLA_CLI_PICTURES_H

/* Warns of the characters of a text that the picture shows as "?". what: "title", ... */
void pictures_warn_unknown(const char *what, const char *text);

#endif
