/* Parallels and meridians over a map, with their degrees. */
#ifndef ARMILLA_PICTURE_GRATICULE_H
#define ARMILLA_PICTURE_GRATICULE_H

#include "picture/drawing.h"
#include "picture/sky_layout.h"

/* Given:    field  diameter of what is shown, radians. */
void armilla_graticule_draw(armilla_drawing *drawing, const armilla_sky_layout *layout,
                            double field);

#endif
