/* Reads rotations from the command line, for the commands that turn coefficients or maps. */
#include "rotation.h"

#include "message.h"
#include "number.h"

#include <string.h>

static int parse_coord(const char *text, armilla_rotation *rotation)
{
    if (strlen(text) != 3 || text[1] != ',' || !strchr("GEC", text[0]) || !strchr("GEC", text[2]))
        return usage_error("--coord \"%s\": must be FROM,TO, two of G (galactic), E (ecliptic) and "
                           "C (equatorial), such as G,E",
                           text);
    armilla_status status = armilla_rotation_from_coordinates(text[0], text[2], rotation);
    return status ? library_error(status, "--coord") : CLI_OK;
}

static int parse_euler(const char *euler, armilla_rotation *rotation)
{
    enum { LONGEST = 80 };
    double angles[3] = {0};
    const char *text = euler;
    for (int i = 0; i < 3; i++) {
        char piece[LONGEST];
        size_t length = strcspn(text, ",");
        if ((text[length] == ',') != (i < 2))
            return usage_error("--euler \"%s\": must be three angles psi,theta,phi, such as "
                               "30deg,-5deg,0deg",
                               euler);
        if (length >= sizeof piece) return usage_error("--euler \"%s\": too many digits", euler);
        memcpy(piece, text, length);
        piece[length] = '\0';
        const char *wrong = number_angle(piece, &angles[i]);
        if (wrong) return usage_error("--euler \"%s\": angle \"%s\": %s", euler, piece, wrong);
        text += length + 1;
    }
    armilla_status status = armilla_rotation_from_euler(angles[0], angles[1], angles[2], rotation);
    return status ? library_error(status, "--euler") : CLI_OK;
}

int rotation_parse(const char *coord, const char *euler, armilla_rotation *rotation)
{
    if (!coord && !euler)
        return usage_error("the rotation is missing: --coord FROM,TO, such as --coord G,E, or "
                           "--euler PSI,THETA,PHI");
    if (coord && euler) return usage_error("--coord and --euler: give only one of them");
    return coord ? parse_coord(coord, rotation) : parse_euler(euler, rotation);
}

int rotation_check_file(const char *coord, const char *path, char coordsys)
{
    if (!coord || !coordsys || coordsys == coord[0]) return CLI_OK;
    return usage_error("--coord \"%s\": \"%s\" is in the system %c, as its COORDSYS says", coord,
                       path, coordsys);
}

int rotation_check_same(const char *label, const char *path, char coordsys, const char *first,
                        char first_coordsys)
{
    if (!coordsys || !first_coordsys || coordsys == first_coordsys) return CLI_OK;
    return usage_error("%s%s\"%s\": is in the system %c, as its COORDSYS says, but \"%s\" is in %c",
                       label, *label ? " " : "", path, coordsys, first, first_coordsys);
}
