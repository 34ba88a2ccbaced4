/* Choices: what a plan has decided about how its calls run, with the reason. Each has a name, such
 * as "ring.lanes"; docs/ways.md has a row for each, with what it gains. */
#ifndef ARMILLA_CHOICE_H
#define ARMILLA_CHOICE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_choice {
    const char *name;  /* "ring.lanes" */
    const char *value; /* "8 pairs": what the plan does */
    const char *why;   /* a sentence without a full stop: what the choice depends on here */
} armilla_choice;

/* Receives one choice, whose texts are valid only until the function returns. */
typedef void (*armilla_choice_fn)(void *data, const armilla_choice *choice);

#ifdef __cplusplus
}
#endif
#endif
