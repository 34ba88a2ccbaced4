/* The numbers of a map that a command holds: doubles, or with --float floats. A pixel that is
 * missing is one in both: the float of ARMILLA_UNSEEN stands for it. */
#ifndef ARMILLA_CLI_REALS_H
#define ARMILLA_CLI_REALS_H

#include <armilla/armilla.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct reals { /* one of both, the other is NULL; both are NULL where there is no room */
    double *doubles;
    float *floats;
} reals;

/* Zeros, to be freed with reals_free. */
static inline reals reals_new(int single, int64_t count)
{
    void *room = calloc((size_t)count + 1, single ? sizeof(float) : sizeof(double));
    return single ? (reals){.floats = room} : (reals){.doubles = room};
}

static inline void reals_free(reals self)
{
    free(self.doubles);
    free(self.floats);
}

static inline int reals_are_there(reals self)
{
    return self.doubles || self.floats;
}

/* From number `first` on. */
static inline reals reals_from(reals self, int64_t first)
{
    return self.floats ? (reals){.floats = self.floats + first}
                       : (reals){.doubles = self.doubles + first};
}

static inline double real_of_float(float value)
{
    return value == (float)ARMILLA_UNSEEN ? ARMILLA_UNSEEN : (double)value;
}

static inline double reals_get(reals self, int64_t i)
{
    return self.floats ? real_of_float(self.floats[i]) : self.doubles[i];
}

static inline void reals_set(reals self, int64_t i, double value)
{
    if (self.floats)
        self.floats[i] = (float)value;
    else
        self.doubles[i] = value;
}

#endif
