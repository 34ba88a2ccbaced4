/* The strokes of every character. Drawn for this project on a grid of whole numbers, from straight
 * lines and arcs only: base line y = 0, capitals 70, small letters 48, descenders -20.
 *
 *   M x y               lift the pen and go to (x, y)
 *   L x y               straight line to (x, y)
 *   E cx cy rx ry a b   arc of an ellipse, from angle a to angle b in degrees, counter-clockwise if
 *                       a < b; 0 points right, 90 up. The pen is lifted before and ends at angle b.
 */
#include "io/font.h"

#include <stddef.h>

static const double SMALL_SCALE = 0.62, SMALL_ABOVE = 32, SMALL_BELOW = -16; /* grid units */

#define DOT(x, y) "E " #x " " #y " 1 1 0 360"

static const armilla_glyph ASCII[] = {
    {10, ""},                                                                           /* blank */
    {4, "M 2 70 L 2 22 " DOT(2, 2)},                                                    /* ! */
    {14, "M 0 70 L 0 50 M 14 70 L 14 50"},                                              /* " */
    {44, "M 16 70 L 8 0 M 36 70 L 28 0 M 2 48 L 44 48 M 0 22 L 42 22"},                 /* # */
    {42, "E 21 51 18 15 30 270 E 21 19 20 17 90 -155 M 21 78 L 21 -8"},                 /* $ */
    {60, "E 12 54 12 16 0 360 E 48 16 12 16 0 360 M 50 70 L 10 0"},                     /* % */
    {50, "E 22 55 13 15 -20 215 L 50 0 M 34 50 L 10 35 E 21 19 20 19 125 325 L 48 32"}, /* & */
    {0, "M 0 70 L 0 50"},                                                               /* ' */
    {12, "E 25 31 24 56 130 230"},                                                      /* ( */
    {12, "E -13 31 24 56 50 -50"},                                                      /* ) */
    {26, "M 13 70 L 13 42 M 1 63 L 25 49 M 25 63 L 1 49"},                              /* * */
    {40, "M 20 53 L 20 13 M 0 33 L 40 33"},                                             /* + */
    {6, "M 5 3 L 1 -12"},                                                               /* , */
    {24, "M 0 30 L 24 30"},                                                             /* - */
    {4, DOT(2, 2)},                                                                     /* . */
    {30, "M 30 74 L 0 -8"},                                                             /* / */
    {42, "E 21 35 21 35 0 360"},                                                        /* 0 */
    {20, "M 2 56 L 20 70 L 20 0"},                                                      /* 1 */
    {41, "E 20 50 19 20 165 -44 L 1 0 L 41 0"},                                         /* 2 */
    {40, "E 19 52 18 18 155 -90 L 13 34 M 19 35 E 19 18 21 18 90 -155"},                /* 3 */
    {44, "M 33 0 L 33 70 L 0 19 L 44 19"},                                              /* 4 */
    {40, "M 36 70 L 7 70 L 3 38 E 19 23 21 23 140 -152"},                               /* 5 */
    {42, "E 21 22 21 22 0 360 E 36 22 36 48 180 102"},                                  /* 6 */
    {40, "M 0 70 L 40 70 L 13 0"},                                                      /* 7 */
    {42, "E 21 53 18 17 0 360 E 21 18 21 18 0 360"},                                    /* 8 */
    {42, "E 21 48 21 22 0 360 E 6 48 36 48 0 -78"},                                     /* 9 */
    {4, DOT(2, 44) DOT(2, 2)},                                                          /* : */
    {6, DOT(4, 44) "M 5 3 L 1 -12"},                                                    /* ; */
    {36, "M 36 56 L 0 33 L 36 10"},                                                     /* < */
    {38, "M 0 42 L 38 42 M 0 24 L 38 24"},                                              /* = */
    {36, "M 0 56 L 36 33 L 0 10"},                                                      /* > */
    {34, "E 17 53 17 17 165 -90 L 17 20 " DOT(17, 2)},                                  /* ? */
    {72, "E 36 29 36 38 0 305 E 36 29 15 18 0 360 M 51 47 L 51 23 E 61 23 10 12 180 360 "
         "L 72 29"},                             /* @ */
    {52, "M 0 0 L 26 70 L 52 0 M 9 23 L 43 23"}, /* A */
    {44, "M 0 0 L 0 70 L 24 70 E 24 53 16 17 90 -90 L 0 36 M 24 36 E 24 18 20 18 90 -90 "
         "L 0 0"},                                                           /* B */
    {53, "E 31 35 31 35 48 312"},                                            /* C */
    {52, "M 0 0 L 0 70 L 18 70 E 18 35 34 35 90 -90 L 0 0"},                 /* D */
    {40, "M 40 70 L 0 70 L 0 0 L 40 0 M 0 36 L 36 36"},                      /* E */
    {38, "M 38 70 L 0 70 L 0 0 M 0 35 L 34 35"},                             /* F */
    {58, "E 32 35 32 35 46 325 L 58 33 L 36 33"},                            /* G */
    {50, "M 0 0 L 0 70 M 50 0 L 50 70 M 0 36 L 50 36"},                      /* H */
    {0, "M 0 0 L 0 70"},                                                     /* I */
    {30, "M 30 70 L 30 20 E 15 20 15 20 0 -160"},                            /* J */
    {46, "M 0 0 L 0 70 M 44 70 L 0 26 M 16 42 L 46 0"},                      /* K */
    {38, "M 0 70 L 0 0 L 38 0"},                                             /* L */
    {58, "M 0 0 L 0 70 L 29 18 L 58 70 L 58 0"},                             /* M */
    {50, "M 0 0 L 0 70 L 50 0 L 50 70"},                                     /* N */
    {62, "E 31 35 31 35 0 360"},                                             /* O */
    {43, "M 0 0 L 0 70 L 24 70 E 24 51 19 19 90 -90 L 0 32"},                /* P */
    {62, "E 31 35 31 35 0 360 M 40 17 L 60 -6"},                             /* Q */
    {45, "M 0 0 L 0 70 L 24 70 E 24 51 19 19 90 -90 L 0 32 M 24 32 L 45 0"}, /* R */
    {43, "E 22 53 19 17 32 270 E 22 18 21 18 90 -152"},                      /* S */
    {46, "M 0 70 L 46 70 M 23 70 L 23 0"},                                   /* T */
    {48, "M 0 70 L 0 24 E 24 24 24 24 180 360 L 48 70"},                     /* U */
    {50, "M 0 70 L 25 0 L 50 70"},                                           /* V */
    {72, "M 0 70 L 18 0 L 36 66 L 54 0 L 72 70"},                            /* W */
    {46, "M 0 70 L 46 0 M 46 70 L 0 0"},                                     /* X */
    {48, "M 0 70 L 24 33 L 48 70 M 24 33 L 24 0"},                           /* Y */
    {44, "M 0 70 L 44 70 L 0 0 L 44 0"},                                     /* Z */
    {13, "M 13 75 L 0 75 L 0 -11 L 13 -11"},                                 /* [ */
    {30, "M 0 74 L 30 -8"},                                                  /* \ */
    {13, "M 0 75 L 13 75 L 13 -11 L 0 -11"},                                 /* ] */
    {30, "M 0 46 L 15 70 L 30 46"},                                          /* ^ */
    {44, "M 0 -8 L 44 -8"},                                                  /* _ */
    {10, "M 0 72 L 10 60"},                                                  /* ` */
    {36, "E 19 31 17 17 155 0 L 36 0 M 36 28 L 17 28 E 17 14 17 14 90 270 "
         "E 17 14 19 14 270 360"},                                              /* a */
    {40, "M 0 70 L 0 0 E 20 24 20 24 0 360"},                                   /* b */
    {36, "E 21 24 21 24 48 312"},                                               /* c */
    {40, "E 20 24 20 24 0 360 M 40 70 L 40 0"},                                 /* d */
    {41, "M 1 26 L 40 26 E 20 24 20 24 5 318"},                                 /* e */
    {26, "M 10 0 L 10 56 E 24 56 14 14 180 80 M 0 46 L 24 46"},                 /* f */
    {40, "E 20 24 20 24 0 360 M 40 48 L 40 -4 E 21 -4 19 17 0 -155"},           /* g */
    {36, "M 0 70 L 0 0 E 18 29 18 19 180 0 L 36 0"},                            /* h */
    {2, "M 1 48 L 1 0 " DOT(1, 65)},                                            /* i */
    {13, "M 12 48 L 12 -8 E 0 -8 12 13 0 -90 " DOT(12, 65)},                    /* j */
    {36, "M 0 70 L 0 0 M 33 48 L 0 17 M 12 28 L 36 0"},                         /* k */
    {0, "M 0 70 L 0 0"},                                                        /* l */
    {60, "M 0 48 L 0 0 E 15 31 15 17 180 0 L 30 0 E 45 31 15 17 180 0 L 60 0"}, /* m */
    {36, "M 0 48 L 0 0 E 18 29 18 19 180 0 L 36 0"},                            /* n */
    {42, "E 21 24 21 24 0 360"},                                                /* o */
    {40, "M 0 48 L 0 -20 E 20 24 20 24 0 360"},                                 /* p */
    {40, "M 40 48 L 40 -20 E 20 24 20 24 0 360"},                               /* q */
    {22, "M 0 48 L 0 0 E 18 27 18 21 180 72"},                                  /* r */
    {33, "E 17 36 14 12 30 270 E 17 12 16 12 90 -150"},                         /* s */
    {26, "M 10 64 L 10 13 E 22 13 12 13 180 285 M 0 46 L 24 46"},               /* t */
    {36, "M 0 48 L 0 19 E 18 19 18 19 180 360 M 36 48 L 36 0"},                 /* u */
    {38, "M 0 48 L 19 0 L 38 48"},                                              /* v */
    {56, "M 0 48 L 14 0 L 28 44 L 42 0 L 56 48"},                               /* w */
    {34, "M 0 48 L 34 0 M 34 48 L 0 0"},                                        /* x */
    {38, "M 0 48 L 19 2 M 38 48 L 11 -20"},                                     /* y */
    {33, "M 0 48 L 33 48 L 0 0 L 33 0"},                                        /* z */
    {18, "E 18 62 9 13 90 180 L 9 42 E 0 42 9 10 0 -90 E 0 22 9 10 90 0 L 9 2 "
         "E 18 2 9 13 180 270"}, /* { */
    {0, "M 0 75 L 0 -15"},       /* | */
    {18, "E 0 62 9 13 90 0 L 9 42 E 18 42 9 10 180 270 E 18 22 9 10 90 180 L 9 2 "
         "E 0 2 9 13 0 -90"},                        /* } */
    {40, "E 10 31 10 9 180 0 E 30 31 10 9 180 360"}, /* ~ */
};

typedef struct sign {
    uint32_t character;
    armilla_glyph glyph;
} sign;

static const sign GREEK[] = {
    {0x0393, {38, "M 0 0 L 0 70 L 38 70"}},                                       /* Gamma */
    {0x0394, {52, "M 0 0 L 26 70 L 52 0 L 0 0"}},                                 /* Delta */
    {0x0398, {62, "E 31 35 31 35 0 360 M 17 35 L 45 35"}},                        /* Theta */
    {0x039B, {52, "M 0 0 L 26 70 L 52 0"}},                                       /* Lambda */
    {0x039E, {42, "M 0 70 L 42 70 M 5 36 L 37 36 M 0 0 L 42 0"}},                 /* Xi */
    {0x03A0, {50, "M 0 0 L 0 70 L 50 70 L 50 0"}},                                /* Pi */
    {0x03A3, {42, "M 42 70 L 0 70 L 24 36 L 0 0 L 42 0"}},                        /* Sigma */
    {0x03A6, {56, "E 28 35 28 22 0 360 M 28 70 L 28 0"}},                         /* Phi */
    {0x03A8, {52, "M 0 70 L 0 46 E 26 46 26 24 180 360 L 52 70 M 26 70 L 26 0"}}, /* Psi */
    {0x03A9, {60, "M 2 0 L 18 0 L 16 14 E 30 40 28 30 240 -60 L 42 0 L 58 0"}},   /* Omega */
    {0x03B1, {44, "E 19 24 19 24 0 360 M 42 48 L 36 14 E 44 14 8 14 180 270"}},   /* alpha */
    {0x03B2, {38, "M 0 -20 L 0 53 E 17 53 17 17 180 -90 E 18 18 20 18 90 -150"}}, /* beta */
    {0x03B3, {36, "M 0 48 L 17 0 M 36 48 L 17 0 E 17 -10 5 10 90 450"}},          /* gamma */
    {0x03B4, {38, "E 19 22 19 22 0 360 M 26 42 L 10 56 E 20 60 11 10 205 30"}},   /* delta */
    {0x03B5, {34, "E 18 36 15 12 50 270 E 18 12 17 12 90 310"}},                  /* epsilon */
    {0x03B6,
     {36, "M 4 70 L 34 70 E 34 22 32 48 90 180 E 20 22 18 20 180 270 L 24 2 " /* zeta */
          "E 24 -8 9 10 90 -120"}},
    {0x03B7, {36, "M 0 48 L 0 0 E 18 29 18 19 180 0 L 36 -20"}},           /* eta */
    {0x03B8, {36, "E 18 35 18 35 0 360 M 0 35 L 36 35"}},                  /* theta */
    {0x03B9, {12, "M 0 48 L 0 10 E 10 10 10 10 180 280"}},                 /* iota */
    {0x03BA, {34, "M 0 48 L 0 0 M 32 48 L 0 18 M 11 27 L 34 0"}},          /* kappa */
    {0x03BB, {38, "M 2 70 L 12 70 L 38 0 M 21 46 L 0 0"}},                 /* lambda */
    {0x03BC, {36, "M 0 48 L 0 -20 E 18 19 18 19 180 360 M 36 48 L 36 0"}}, /* mu */
    {0x03BD, {36, "M 0 48 L 17 0 L 36 48"}},                               /* nu */
    {0x03BE,
     {34, "M 8 70 L 32 70 E 22 55 15 15 90 270 L 28 40 E 22 20 20 20 90 270 " /* xi */
          "L 25 0 E 25 -9 9 9 90 -120"}},
    {0x03C0, {44, "M 0 48 L 44 48 M 12 48 L 8 0 M 32 48 L 32 10 E 42 10 10 10 180 280"}}, /* pi */
    {0x03C1, {40, "M 0 -20 L 0 24 E 20 24 20 24 0 360"}},                                 /* rho */
    {0x03C2, {38, "E 20 24 19 24 50 270 L 24 0 E 24 -9 9 9 90 -120"}},              /* sigma */
    {0x03C3, {44, "E 19 23 19 23 0 360 M 19 46 L 44 46"}},                          /* sigma */
    {0x03C4, {36, "M 0 48 L 36 48 M 18 48 L 18 10 E 28 10 10 10 180 280"}},         /* tau */
    {0x03C5, {36, "M 0 48 L 0 19 E 18 19 18 19 180 360 L 36 48"}},                  /* upsilon */
    {0x03C6, {48, "E 24 24 24 24 0 360 M 24 66 L 24 -20"}},                         /* phi */
    {0x03C7, {38, "M 0 48 L 38 -20 M 38 48 L 0 -20"}},                              /* chi */
    {0x03C8, {48, "M 0 48 L 0 22 E 24 22 24 22 180 360 L 48 48 M 24 60 L 24 -20"}}, /* psi */
    {0x03C9,
     {56, "M 9 48 L 3 33 E 14 20 14 20 140 360 L 28 34 E 42 20 14 20 180 400 " /* omega */
          "L 47 48"}},
};

static const sign SIGNS[] = {
    {0x00B0, {18, "E 9 60 9 10 0 360"}},                                      /* degree */
    {0x00B1, {40, "M 20 62 L 20 26 M 2 44 L 38 44 M 2 8 L 38 8"}},            /* plus minus */
    {0x00B7, {4, DOT(2, 33)}},                                                /* dot */
    {0x00C5, {52, "M 0 0 L 26 66 L 52 0 M 9 23 L 43 23 E 26 76 8 8 0 360"}},  /* angstrom */
    {0x00D7, {30, "M 0 48 L 30 18 M 30 48 L 0 18"}},                          /* times */
    {0x00F7, {38, "M 0 33 L 38 33 " DOT(19, 52) DOT(19, 14)}},                /* divided by */
    {0x0127, {42, "M 6 70 L 6 0 E 24 29 18 19 180 0 L 42 0 M 0 60 L 20 60"}}, /* h bar */
    {0x2013, {36, "M 0 30 L 36 30"}},                                         /* dashes */
    {0x2014, {60, "M 0 30 L 60 30"}},
    {0x2018, {6, "M 5 70 L 1 55"}}, /* quotation marks */
    {0x2019, {6, "M 5 70 L 1 55"}},
    {0x201C, {18, "M 5 70 L 1 55 M 17 70 L 13 55"}},
    {0x201D, {18, "M 5 70 L 1 55 M 17 70 L 13 55"}},
    {0x2026, {48, DOT(2, 2) DOT(24, 2) DOT(46, 2)}}, /* ellipsis */
    {0x2032, {8, "M 7 70 L 1 50"}},                  /* prime */
    {0x2033, {20, "M 7 70 L 1 50 M 19 70 L 13 50"}}, /* double prime */
    {0x2113, {26, "M 0 16 L 22 46 E 16 55 8 15 -35 180 L 8 14 E 18 14 10 14 180 310"}}, /* l */
    {0x2190, {54, "M 54 33 L 0 33 M 16 47 L 0 33 L 16 19"}},                            /* arrows */
    {0x2192, {54, "M 0 33 L 54 33 M 38 47 L 54 33 L 38 19"}},
    {0x2194, {62, "M 0 33 L 62 33 M 16 47 L 0 33 L 16 19 M 46 47 L 62 33 L 46 19"}},
    {0x2202, {38, "E 19 22 19 22 0 360 E 12 28 26 40 -10 115"}},            /* partial */
    {0x2207, {52, "M 0 70 L 52 70 L 26 0 L 0 70"}},                         /* nabla */
    {0x2208, {40, "E 26 33 26 26 60 300 M 0 33 L 38 33"}},                  /* element of */
    {0x2212, {38, "M 0 33 L 38 33"}},                                       /* minus */
    {0x2213, {40, "M 2 62 L 38 62 M 20 44 L 20 8 M 2 26 L 38 26"}},         /* minus plus */
    {0x221A, {58, "M 0 34 L 8 38 L 20 0 L 34 74 L 58 74"}},                 /* root */
    {0x221D, {46, "E 14 28 14 14 45 315 M 24 38 L 46 14 M 24 18 L 46 42"}}, /* proportional to */
    {0x221E, {64, "E 16 28 16 14 0 360 E 48 28 16 14 0 360"}},              /* infinity */
    {0x222B, {40, "E 10 -8 10 12 200 360 L 20 64 E 30 64 10 12 180 20"}},   /* integral */
    {0x2248,
     {40, "E 10 41 10 9 180 0 E 30 41 10 9 180 360 E 10 21 10 9 180 0 "
          "E 30 21 10 9 180 360"}},                                 /* about */
    {0x2260, {38, "M 0 42 L 38 42 M 0 24 L 38 24 M 29 60 L 9 6"}},  /* not equal */
    {0x2261, {38, "M 0 50 L 38 50 M 0 33 L 38 33 M 0 16 L 38 16"}}, /* identical */
    {0x2264, {36, "M 36 66 L 0 45 L 36 24 M 0 8 L 36 8"}},          /* at most */
    {0x2265, {36, "M 0 66 L 36 45 L 0 24 M 0 8 L 36 8"}},           /* at least */
    {0x2299, {62, "E 31 33 31 31 0 360 " DOT(31, 33)}},             /* the sun */
    {0x27E8, {14, "M 14 75 L 0 32 L 14 -11"}},                      /* mean of */
    {0x27E9, {14, "M 0 75 L 14 32 L 0 -11"}},
    {0x00A0, {10, ""}}, /* no-break blank */
};

/* Characters that look like others. */
static const uint32_t ALIKE[][2] = {
    {0x0391, 'A'},    {0x0392, 'B'},    {0x0395, 'E'},    {0x0396, 'Z'},    {0x0397, 'H'},
    {0x0399, 'I'},    {0x039A, 'K'},    {0x039C, 'M'},    {0x039D, 'N'},    {0x039F, 'O'},
    {0x03A1, 'P'},    {0x03A4, 'T'},    {0x03A5, 'Y'},    {0x03A7, 'X'},    {0x03BF, 'o'},
    {0x03D1, 0x03B8}, {0x03D5, 0x03C6}, {0x03D6, 0x03C0}, {0x03F0, 0x03BA}, {0x03F1, 0x03C1},
    {0x03F5, 0x03B5}, {0x00B5, 0x03BC}, {0x2126, 0x03A9}, {0x212B, 0x00C5}, {0x2206, 0x0394},
    {0x2211, 0x03A3}, {0x220F, 0x03A0}, {0x220A, 0x03B5}, {0x223C, '~'},    {0x2217, '*'},
    {0x22C5, 0x00B7}, {0x2609, 0x2299}, {0x2329, 0x27E8}, {0x232A, 0x27E9}, {0x2010, '-'},
    {0x2011, '-'},    {0x2009, ' '},    {0x202F, ' '},    {0x2044, '/'},    {0x2223, '|'},
};

static const armilla_glyph *find_sign(const sign *signs, size_t count, uint32_t character)
{
    for (size_t i = 0; i < count; i++)
        if (signs[i].character == character) return &signs[i].glyph;
    return NULL;
}

static uint32_t look_of(uint32_t character)
{
    for (size_t i = 0; i < sizeof ALIKE / sizeof ALIKE[0]; i++)
        if (ALIKE[i][0] == character) return ALIKE[i][1];
    return character;
}

static const armilla_glyph *find_glyph(uint32_t character)
{
    character = look_of(character);
    if (character < ' ' || character == 0x7F) return &ASCII[0];
    if (character < 0x7F) return &ASCII[character - ' '];
    const armilla_glyph *glyph = find_sign(GREEK, sizeof GREEK / sizeof GREEK[0], character);
    return glyph ? glyph : find_sign(SIGNS, sizeof SIGNS / sizeof SIGNS[0], character);
}

/* --- Small digits ----------------------------------------------------------------------------- */

/* What stands above the line, and below: digits, + and -. */
static uint32_t raised(uint32_t character)
{
    static const uint32_t first[] = {'0', '1', '2', '3'}, codes[] = {0x2070, 0xB9, 0xB2, 0xB3};
    for (int i = 0; i < 4; i++)
        if (character == codes[i]) return first[i];
    if (character >= 0x2074 && character <= 0x2079) return '4' + character - 0x2074;
    if (character == 0x207A) return '+';
    if (character == 0x207F) return 'n';
    return character == 0x207B ? 0x2212 : 0;
}

static uint32_t lowered(uint32_t character)
{
    if (character >= 0x2080 && character <= 0x2089) return '0' + character - 0x2080;
    if (character == 0x208A) return '+';
    return character == 0x208B ? 0x2212 : 0;
}

int armilla_font_place(uint32_t character, armilla_placed_glyph *placed)
{
    const uint32_t above = raised(character), below = lowered(character);
    placed->scale = above || below ? SMALL_SCALE : 1;
    placed->shift = above ? SMALL_ABOVE : below ? SMALL_BELOW : 0;
    placed->glyph = find_glyph(above ? above : below ? below : character);
    if (placed->glyph) return 1;
    placed->glyph = &ASCII['?' - ' '];
    return 0;
}
