/* A plan for the values of a field at positions, and what belongs to it. */
#ifndef ARMILLA_PYTHON_SIGHT_H
#define ARMILLA_PYTHON_SIGHT_H

#include "sights.h"

typedef struct armilla_python_sight {
    armilla_python_field field;
    int64_t count;     /* of positions */
    double *positions; /* [2 * count], a copy */
    armilla_points *plan;
    int64_t npoints; /* of the plan: pixels that the grid has, or count */
    double *gamma;   /* [npoints]: values are turned by spin * gamma; NULL: points */
    int64_t *places; /* [npoints]: of values in a map; NULL: one after the other, count of them */
    int64_t bytes;   /* plan, workspace and arrays */
    int64_t owners;
    struct armilla_python_sight *next; /* of those that are kept */
} armilla_python_sight;

/* Makes a sight for one owner. Returned: *sight; on error *message, unless the library has one. */
armilla_status armilla_python_sight_new(const armilla_python_field *field, int64_t count,
                                        const double *positions, armilla_python_sight **sight,
                                        const char **message);
void armilla_python_sight_free(armilla_python_sight *sight);

/* The sight, kept or new, for one owner more, who gives it back. */
armilla_status armilla_python_sight_get(const armilla_python_field *field, int64_t count,
                                        const double *positions, armilla_python_sight **sight,
                                        const char **message);
void armilla_python_sight_give_back(armilla_python_sight *sight);

#endif
