/* Reduces angles by whole turns. The C library's sine and cosine know as many digits of pi as an
 * argument of 2^1024 asks for, which no remainder by a rounded 2 pi does. */
#include "base/angle.h"

#include <math.h>
#include <stddef.h>

double armilla_angle_reduce(double phi, double *rest)
{
    double near = phi, missed = 0;
    if (fabs(phi) > ARMILLA_ANGLE_NEAR) {
        const long double exact = atan2l(sinl(phi), cosl(phi));
        near = (double)exact, missed = (double)(exact - near);
    }
    if (rest) *rest = missed;
    return near;
}
