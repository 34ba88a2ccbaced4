/* The value, gradient and tensor of a potential at one point, and their axes. */
#ifndef ARMILLA_SOLID_JET_H
#define ARMILLA_SOLID_JET_H

typedef struct armilla_solid_jet {
    double value, v[3], t[3][3];
} armilla_solid_jet;

/* Rows e_r, e_theta, e_phi at theta and the longitude with this cosine and sine. */
void armilla_solid_axes(double theta, double cosine, double sine, double axes[3][3]);

/* Components along the rows of axes, of a jet along x, y, z; `back`: the other way. */
void armilla_solid_jet_turn(double axes[3][3], int back, armilla_solid_jet *jet);

void armilla_solid_jet_add(const armilla_solid_jet *from, armilla_solid_jet *to);

/* Adds the term of l = 0 to a local jet: inside a constant, outside one that goes with 1 / r. */
void armilla_solid_jet_add_mean(double value, double r, int interior, armilla_solid_jet *local);

/* The ten components in the sequence of armilla/solid.h. */
void armilla_solid_jet_components(const armilla_solid_jet *jet, double out[10]);

#endif
