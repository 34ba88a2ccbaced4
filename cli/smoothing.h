/* By which method armilla smooth works: in harmonic space, or pixel by pixel (radial.h). */
#ifndef ARMILLA_CLI_SMOOTHING_H
#define ARMILLA_CLI_SMOOTHING_H

#include "options.h"
#include "radial.h"

typedef struct smoothing {
    const char *method;        /* "harmonic", "radial" or "auto" */
    double fwhm;               /* radians; below 0: the beam is a file's */
    const pixel_share *pixels; /* of the map */
    int64_t lmax, nfields;     /* lmax: of the harmonic way (-1: its default) */
    int64_t iterations;        /* of the harmonic way; or STEPS_DEFAULT, STEPS_AUTO */
    int ring_weights;
    int64_t threads;
    armilla_device device; /* of the radial way, like */
    device_list devices;
} smoothing;

/* Refuses a method that is none, and what radial cannot do. Returns an exit code. */
int smoothing_check(const smoothing *self);

/* Makes the radial plan if that is the method; else *plan stays empty (not is_made). Of "auto"
 * it notes which way is taken, and why. Returns an exit code, after a message unless CLI_OK. */
int smoothing_choose(const smoothing *self, radial *plan);

#endif
