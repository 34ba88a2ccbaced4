/* Checks that files keep HEALPix maps: round trips, wrong arguments, the sign of U. */
#include "test_io_support.h"

#include <math.h>

#define NPIX(nside) (12 * (int64_t)(nside) * (nside))

/* --- Round trips ------------------------------------------------------------------------------ */

static armilla_map *make_map(int64_t nside, int64_t nfields, armilla_io_type type, uint64_t seed)
{
    armilla_map *map;
    assert_works(armilla_map_new(nside, nfields, &map));
    for (int64_t f = 0; f < nfields; f++) {
        map->fields[f].type = type;
        snprintf(map->fields[f].unit, ARMILLA_IO_NAME_SIZE, "mK%lld", (long long)f);
        for (int64_t i = 0; i < map->npix; i++) {
            double value = (double)draw_below(&seed, 65535) - 32767;
            if (type == ARMILLA_IO_FLOAT) value = (double)(float)(value * 1.1e-3);
            if (type == ARMILLA_IO_DOUBLE) value *= 1.1e-3;
            map->fields[f].values[i] = value;
        }
        if (type == ARMILLA_IO_DOUBLE) map->fields[f].values[0] = -0.0;
        if (type == ARMILLA_IO_INT64) map->fields[f].values[0] = 0x1p53 - 1;
        if (type == ARMILLA_IO_INT32) map->fields[f].values[0] = -2147483647;
    }
    return map;
}

static void assert_same_map(const armilla_map *a, const armilla_map *b)
{
    assert_int_equal(a->nside, b->nside);
    assert_int_equal(a->npix, b->npix);
    assert_int_equal(a->nfields, b->nfields);
    assert_int_equal(a->order, b->order);
    assert_int_equal(a->partial, b->partial);
    assert_int_equal(a->iau, b->iau);
    assert_int_equal(a->coordsys, b->coordsys);
    for (int64_t f = 0; f < a->nfields; f++) {
        assert_string_equal(a->fields[f].name, b->fields[f].name);
        assert_string_equal(a->fields[f].unit, b->fields[f].unit);
        assert_int_equal(a->fields[f].type, b->fields[f].type);
        assert_same_values(a->fields[f].values, b->fields[f].values, a->npix);
    }
}

static void round_trip(armilla_map *map)
{
    armilla_map *back = NULL;
    assert_works(armilla_map_write("map.fits", map, 1));
    assert_works(armilla_map_read("map.fits", 1, 0, NULL, &back));
    assert_same_map(map, back);
    armilla_map_free(back);
    armilla_map_free(map);
}

static void every_type_order_and_coverage_survives(void **state)
{
    (void)state;
    const int64_t sizes[] = {1, 2, 4, 16, 32};
    for (int64_t n = 0; n < 5; n++)
        for (int type = 0; type < 5; type++)
            for (int order = 0; order < 2; order++)
                for (int partial = 0; partial < 2; partial++) {
                    armilla_map *map = make_map(sizes[n], 1 + (n + type) % 7, type, 42 + type);
                    map->order = order;
                    map->partial = partial;
                    map->coordsys = "GEC"[type % 3];
                    for (int64_t i = 1; i < map->npix; i += 3)
                        for (int64_t f = 0; f < map->nfields; f++)
                            map->fields[f].values[i] = ARMILLA_UNSEEN;
                    round_trip(map);
                }
}

static void nside_need_not_be_a_power_of_two_in_ring_order(void **state)
{
    (void)state;
    const int64_t sizes[] = {3, 10, 20, 33};
    for (int n = 0; n < 4; n++) round_trip(make_map(sizes[n], 2, ARMILLA_IO_DOUBLE, 7));
    armilla_map *map = make_map(3, 1, ARMILLA_IO_FLOAT, 7);
    map->order = ARMILLA_IO_NESTED;
    assert_int_equal(armilla_map_write("other.fits", map, 1), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("nside = 3");
    assert_int_equal(access("other.fits", F_OK), -1);
    armilla_map_free(map);
}

static void partial_map_without_pixels_survives(void **state)
{
    (void)state;
    armilla_map *map = make_map(4, 1, ARMILLA_IO_FLOAT, 1);
    for (int64_t i = 0; i < map->npix; i++) map->fields[0].values[i] = ARMILLA_UNSEEN;
    map->partial = 1;
    round_trip(map);
}

static void partial_maps_list_observed_pixels_in_file_order(void **state)
{
    (void)state;
    armilla_map *map = make_map(2, 2, ARMILLA_IO_FLOAT, 1);
    for (int64_t i = 0; i < 48; i++)
        for (int f = 0; f < 2; f++)
            if (i % 5 || f) map->fields[f].values[i] = ARMILLA_UNSEEN; /* one field suffices */
    map->partial = 1;
    map->order = ARMILLA_IO_NESTED;
    assert_works(armilla_map_write("map.fits", map, 0));
    size_t size;
    unsigned char *bytes = get_bytes("map.fits", &size), *row = bytes + 2 * 2880;
    bytes[2 * 2880 - 1] = '\0';
    assert_non_null(strstr((char *)bytes, "NAXIS2  =                   10 "));
    assert_null(strstr((char *)bytes, "FIRSTPIX"));
    for (int previous = -1, i = 0; i < 10; i++, row += 12) {
        assert_true(row[3] > previous && row[3] < 48);
        assert_int_equal(armilla_healpix_nest_to_ring(2, row[3]) % 5, 0);
        previous = row[3];
    }
    free(bytes);
    armilla_map_free(map);
}

static void nan_is_written_and_read_as_unseen(void **state)
{
    (void)state;
    for (int type = 0; type < 5; type++)
        for (int partial = 0; partial < 2; partial++) {
            armilla_map *map = make_map(2, 1, type, 3), *back;
            map->fields[0].values[5] = (double)NAN;
            map->partial = partial;
            assert_works(armilla_map_write("map.fits", map, 1));
            assert_works(armilla_map_read("map.fits", 1, 0, NULL, &back));
            assert_true(back->fields[0].values[5] == ARMILLA_UNSEEN);
            assert_true(back->fields[0].values[6] == map->fields[0].values[6]);
            armilla_map_free(back);
            armilla_map_free(map);
        }
}

static void values_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    const double values[] = {0, 1e39, -32768, 2147483648.0, 0x1p63};
    for (int type = 1; type < 5; type++) {
        armilla_map *map = make_map(2, 1, type, 3);
        map->fields[0].values[9] = values[type];
        assert_int_equal(armilla_map_write("map.fits", map, 1), ARMILLA_ERROR_ARGUMENT);
        assert_message_has("values[9] = ");
        assert_int_equal(count_entries(), 0);
        armilla_map_free(map);
    }
}

static void fields_are_chosen_by_number(void **state)
{
    (void)state;
    armilla_map *map = make_map(4, 3, ARMILLA_IO_DOUBLE, 5), *back = NULL;
    const int64_t wanted[] = {2, 0, 2}, wrong[] = {0, 3}, negative[] = {-1};
    for (int partial = 0; partial < 2; partial++) {
        map->partial = partial;
        assert_works(armilla_map_write("map.fits", map, 1));
        assert_works(armilla_map_read("map.fits", 0, 3, wanted, &back));
        assert_int_equal(back->nfields, 3);
        for (int i = 0; i < 3; i++) {
            const armilla_field *field = &map->fields[wanted[i]];
            assert_same_values(back->fields[i].values, field->values, map->npix);
            assert_string_equal(back->fields[i].name, field->name);
        }
        armilla_map_free(back);
        back = NULL;
        assert_int_equal(armilla_map_read("map.fits", 1, 2, wrong, &back), ARMILLA_ERROR_ARGUMENT);
        assert_message_has("field = 3: map.fits has 3 field(s)");
        assert_int_equal(armilla_map_read("map.fits", 1, 1, negative, &back),
                         ARMILLA_ERROR_ARGUMENT);
        assert_int_equal(armilla_map_read("map.fits", 2, 0, NULL, &back), ARMILLA_ERROR_ARGUMENT);
        assert_message_has("hdu = 2");
        assert_int_equal(armilla_map_read("map.fits", -1, 0, NULL, &back), ARMILLA_ERROR_ARGUMENT);
        assert_null(back);
    }
    armilla_map_free(map);
}

static void columns_are_named_as_healpix_does(void **state)
{
    (void)state;
    const char *first[] = {"TEMPERATURE", "Q_POLARISATION", "TEMPERATURE",
                           "COLUMN_1",    "COLUMN_1",       "II"};
    const char *last[] = {"TEMPERATURE", "U_POLARISATION", "U_POLARISATION",
                          "COLUMN_4",    "COLUMN_5",       "UU"};
    for (int n = 0; n < 6; n++) {
        armilla_map *map;
        assert_works(armilla_map_new(1, n + 1, &map));
        assert_string_equal(map->fields[0].name, first[n]);
        assert_string_equal(map->fields[n].name, last[n]);
        assert_int_equal(map->fields[n].type, ARMILLA_IO_FLOAT);
        armilla_map_free(map);
    }
    armilla_map *map = NULL;
    assert_int_equal(armilla_map_new(0, 1, &map), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_map_new(1, 0, &map), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_map_new(1, 999, &map), ARMILLA_ERROR_ARGUMENT);
    assert_null(map);
    armilla_map_free(NULL);
}

static void names_fits_cannot_hold_are_refused(void **state)
{
    (void)state;
    armilla_map *map = make_map(1, 1, ARMILLA_IO_FLOAT, 1);
    strcpy(map->fields[0].unit, "\xc2\xb5K");
    assert_int_equal(armilla_map_write("map.fits", map, 0), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("ASCII");
    memset(map->fields[0].unit, 'u', ARMILLA_IO_NAME_SIZE);
    assert_int_equal(armilla_map_write("map.fits", map, 0), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("longer than 68");
    strcpy(map->fields[0].unit, "it's 'K'");
    assert_int_equal(count_entries(), 0);
    round_trip(map);
}

/* --- Polarisation convention ------------------------------------------------------------------ */

static double sign_after(const char *const *names, int nfields, int field, int iau)
{
    maker_begin();
    maker_table("BINTABLE", 4 * nfields, 12, nfields);
    for (int i = 0; i < nfields; i++) maker_column(i + 1, names[i], "E");
    maker_card("NSIDE   =                    1");
    maker_card("POLCCONV= '%s'", iau ? "IAU     " : "COSMO   ");
    maker_end_header();
    for (int i = 0; i < 12 * nfields; i++) maker_float(i == field ? -1.6375e30F : 1);
    maker_save("iau.fits");
    armilla_map *map;
    int64_t wanted = field;
    assert_works(armilla_map_read("iau.fits", 1, 1, &wanted, &map));
    assert_int_equal(map->iau, iau);
    assert_true(map->fields[0].values[0] == ARMILLA_UNSEEN); /* has no sign */
    double value = map->fields[0].values[1];
    armilla_map_free(map);
    return value;
}

static void iau_flips_the_sign_of_u_by_name_or_position(void **state)
{
    (void)state;
    const char *const plain[] = {"A", "B", "C", "D"};
    const char *const named[] = {"U_POLARISATION", "TEMPERATURE", "Q-POLARISATION"};
    const char *const planck[] = {"I_STOKES", "Q_STOKES", "U_STOKES", "HITS", "II_COV", "IU_COV"};
    const char *const healpy[] = {"II", "IQ", "IU", "QQ", "QU", "UU"};
    for (int i = 0; i < 3; i++) assert_true(sign_after(plain, 3, i, 1) == (i == 2 ? -1 : 1));
    for (int i = 0; i < 2; i++) assert_true(sign_after(plain, 2, i, 1) == (i == 1 ? -1 : 1));
    for (int i = 0; i < 4; i++) assert_true(sign_after(plain, 4, i, 1) == 1);
    for (int i = 0; i < 3; i++) assert_true(sign_after(named, 3, i, 1) == (i == 0 ? -1 : 1));
    for (int i = 0; i < 6; i++)
        assert_true(sign_after(planck, 6, i, 1) == (i == 2 || i == 5 ? -1 : 1));
    for (int i = 0; i < 6; i++)
        assert_true(sign_after(healpy, 6, i, 1) == (i == 2 || i == 4 ? -1 : 1));
    for (int i = 0; i < 3; i++) assert_true(sign_after(plain, 3, i, 0) == 1);
}

static void iau_survives_and_the_file_holds_the_other_sign(void **state)
{
    (void)state;
    armilla_map *map = make_map(4, 3, ARMILLA_IO_DOUBLE, 5), *cosmo;
    map->iau = 1;
    map->fields[2].values[7] = ARMILLA_UNSEEN;
    assert_works(armilla_map_write("iau.fits", map, 1));
    size_t size;
    unsigned char *bytes = get_bytes("iau.fits", &size);
    char *card = strstr((char *)bytes, "POLCCONV= 'IAU     '");
    assert_non_null(card);
    memcpy(card, "POLCCONV= 'COSMO   '", 20);
    put_bytes("cosmo.fits", bytes, size);
    free(bytes);
    assert_works(armilla_map_read("cosmo.fits", 1, 0, NULL, &cosmo));
    assert_true(cosmo->fields[2].values[3] == -map->fields[2].values[3]);
    assert_true(cosmo->fields[1].values[3] == map->fields[1].values[3]);
    assert_true(cosmo->fields[2].values[7] == ARMILLA_UNSEEN);
    armilla_map_free(cosmo);
    round_trip(map);
}

static void write_checks_its_argument(void **state)
{
    (void)state;
    armilla_map *map = make_map(2, 1, ARMILLA_IO_FLOAT, 1);
    assert_int_equal(armilla_map_write("map.fits", NULL, 1), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_map_write(NULL, map, 1), ARMILLA_ERROR_ARGUMENT);
    map->npix = 47;
    assert_int_equal(armilla_map_write("map.fits", map, 1), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("npix = 47");
    map->npix = 48;
    map->coordsys = 'X';
    assert_int_equal(armilla_map_write("map.fits", map, 1), ARMILLA_ERROR_ARGUMENT);
    map->coordsys = 0;
    map->fields[0].type = (armilla_io_type)9;
    assert_int_equal(armilla_map_write("map.fits", map, 1), ARMILLA_ERROR_ARGUMENT);
    map->fields[0].type = ARMILLA_IO_FLOAT;
    assert_int_equal(count_entries(), 0);
    armilla_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(every_type_order_and_coverage_survives),
        IN_DIRECTORY(nside_need_not_be_a_power_of_two_in_ring_order),
        IN_DIRECTORY(partial_map_without_pixels_survives),
        IN_DIRECTORY(partial_maps_list_observed_pixels_in_file_order),
        IN_DIRECTORY(nan_is_written_and_read_as_unseen),
        IN_DIRECTORY(values_that_do_not_fit_are_refused),
        IN_DIRECTORY(fields_are_chosen_by_number),
        IN_DIRECTORY(columns_are_named_as_healpix_does),
        IN_DIRECTORY(names_fits_cannot_hold_are_refused),
        IN_DIRECTORY(iau_flips_the_sign_of_u_by_name_or_position),
        IN_DIRECTORY(iau_survives_and_the_file_holds_the_other_sign),
        IN_DIRECTORY(write_checks_its_argument),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
