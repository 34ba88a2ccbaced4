/* The points of a call in the sequence of their radii, the power of its coefficients, and what is
 * chosen from both. */
#ifndef ARMILLA_SOLID_SURVEY_H
#define ARMILLA_SOLID_SURVEY_H

#include "solid/choose.h"
#include "solid/request.h"

typedef struct armilla_solid_survey {
    armilla_solid_choice choice;
    int64_t *number; /* of points; rising radius, unless no error is asked for */
    double *log_r;   /* NULL where no error is asked for */
    double *log_power;
} armilla_solid_survey;

/* Given: a request with points and exec. Errors: MEMORY, ARGUMENT (epsilon; alm that is not finite,
 * where an error is asked for); clear it then, too. */
armilla_status armilla_solid_survey_new(const armilla_solid_request *q, const double *alm,
                                        armilla_solid_survey *survey);
void armilla_solid_survey_clear(armilla_solid_survey *survey);

/* The points that are to be summed: some->place, which the caller releases. Errors: MEMORY. */
armilla_status armilla_solid_survey_direct(const armilla_solid_survey *survey,
                                           armilla_solid_places *some);

#endif
