/* Checks that files packed by bzip2 are read like others, damaged ones refused, and no other
 * packing taken for what it is not. */
#include "test_io_support.h"

#include <bzlib.h>

enum { MOST = 1 << 21 };

/* The file's bytes, packed into another one as one stream or several. Returned: packed bytes. */
static size_t pack(const char *from, const char *to, int streams)
{
    size_t count, used = 0;
    unsigned char *bytes = get_bytes(from, &count);
    char *packed = malloc(MOST);
    for (int i = 0; i < streams; i++) {
        const size_t first = count * (size_t)i / (size_t)streams;
        const size_t end = count * (size_t)(i + 1) / (size_t)streams;
        unsigned length = (unsigned)(MOST - used);
        assert_int_equal(BZ2_bzBuffToBuffCompress(packed + used, &length, (char *)bytes + first,
                                                  (unsigned)(end - first), 1, 0, 0),
                         BZ_OK);
        used += length;
    }
    put_bytes(to, packed, used);
    free(packed);
    free(bytes);
    return used;
}

static void make_map(int64_t nside)
{
    armilla_map *map = NULL;
    assert_works(armilla_map_new(nside, 1, &map));
    for (int64_t i = 0; i < map->npix; i++) map->fields[0].values[i] = (double)(i * 7919 % 1000);
    assert_works(armilla_map_write("map.fits", map, 1));
    armilla_map_free(map);
}

static void assert_map(const char *path, int64_t nside)
{
    armilla_map *map = NULL;
    assert_works(armilla_map_read(path, 0, 0, NULL, &map));
    assert_int_equal(map->nside, nside);
    for (int64_t i = 0; i < map->npix; i++)
        assert_true(map->fields[0].values[i] == (double)(i * 7919 % 1000));
    armilla_map_free(map);
}

/* Contents longer than the buffers, whose last bytes wait inside bzip2 when the input has ended. */
static void packed_maps_are_read(void **state)
{
    (void)state;
    const int64_t nsides[] = {1, 16, 128};
    for (int i = 0; i < 3; i++)
        for (int streams = 1; streams < 4; streams++) {
            make_map(nsides[i]);
            pack("map.fits", "map.fits.bz2", streams);
            assert_map("map.fits.bz2", nsides[i]);
            assert_int_equal(count_entries(), 2); /* no temporary file stays */
        }
    double values[12];
    armilla_map_input *input = NULL;
    make_map(1);
    pack("map.fits", "any.name", 1);
    assert_works(armilla_map_input_open("any.name", 0, &input));
    assert_works(armilla_map_input_read(input, 0, 0, 12, values));
    assert_true(values[11] == 11 * 7919 % 1000);
    armilla_map_input_free(input);
}

static void packed_text_is_read(void **state)
{
    (void)state;
    armilla_cl_file *cl = NULL;
    put_text("cl.txt", "# l TT\n0 1\n1 2.5\n");
    pack("cl.txt", "cl.txt.bz2", 1);
    assert_works(armilla_cl_read("cl.txt.bz2", &cl));
    assert_int_equal(cl->lmax, 1);
    assert_true(cl->cl[1] == 2.5);
    armilla_cl_file_free(cl);
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    armilla_map *map = NULL;
    make_map(16);
    const size_t used = pack("map.fits", "map.bz2", 1);
    size_t count;
    unsigned char *bytes = get_bytes("map.bz2", &count);
    for (size_t length = 4; length < used; length += used / 7) {
        put_bytes("cut.bz2", bytes, length);
        assert_int_equal(armilla_map_read("cut.bz2", 0, 0, NULL, &map), ARMILLA_ERROR_FORMAT);
        assert_message_has("cut.bz2");
    }
    put_bytes("cut.bz2", bytes, used - 1);
    assert_int_equal(armilla_map_read("cut.bz2", 0, 0, NULL, &map), ARMILLA_ERROR_FORMAT);
    assert_message_has("truncated: its compressed data end too early");
    bytes[used - 8] ^= 1;
    put_bytes("cut.bz2", bytes, used);
    assert_int_equal(armilla_map_read("cut.bz2", 0, 0, NULL, &map), ARMILLA_ERROR_FORMAT);
    assert_message_has("damaged");
    free(bytes);
    assert_int_equal(count_entries(), 3);
}

static void other_packings_are_named(void **state)
{
    (void)state;
    static const char *const magics[] = {"\xfd"
                                         "7zXZ\0",
                                         "\x28\xb5\x2f\xfd\0!", "\x1f\x9d!!!!"};
    static const char *const words[] = {"unxz", "unzstd", "gunzip"};
    static const char *const names[] = {"a.fits.bz2", "a.xz", "a.fits.zst", "a.Z", "a.zip"};
    armilla_map *map = NULL;
    for (int i = 0; i < 3; i++) {
        put_bytes("packed", magics[i], 6);
        assert_int_equal(armilla_map_read("packed", 0, 0, NULL, &map), ARMILLA_ERROR_FORMAT);
        assert_message_has(words[i]);
    }
    assert_works(armilla_map_new(1, 1, &map));
    for (int i = 0; i < 5; i++) {
        assert_int_equal(armilla_map_write(names[i], map, 1), ARMILLA_ERROR_ARGUMENT);
        assert_message_has(names[i]);
    }
    assert_int_equal(count_entries(), 1);
    armilla_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(packed_maps_are_read),
        IN_DIRECTORY(packed_text_is_read),
        IN_DIRECTORY(damaged_files_are_refused),
        IN_DIRECTORY(other_packings_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
