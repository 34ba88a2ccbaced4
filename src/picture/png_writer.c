/* Writes a PNG file row by row through libpng, and turns its errors into a status. libpng reports
 * errors by a call that must not return. Ours records the status and jumps back to the function
 * that called libpng. Those functions hold nothing but the writer's pointer, which they never
 * change, so that no local value is lost by the jump (C11 7.13.2.1), and everything to be freed
 * hangs on the writer. */
#include "picture/png_writer.h"

#include "base/memory.h"
#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

struct armilla_png {
    FILE *file;
    const char *path;      /* the caller's: only read during open, where messages need it */
    int as_text;           /* base64, into a file of the caller's */
    unsigned char rest[3]; /* bytes that wait for the third of their group */
    int nrest;
    int64_t width, height;
    png_structp structure;
    png_infop info;
    armilla_status status; /* why libpng gave up */
    jmp_buf escape;
};

/* --- What libpng calls ------------------------------------------------------------------------ */

static void on_error(png_structp structure, png_const_charp message)
{
    armilla_png *png = png_get_error_ptr(structure);
    if (!png->status) png->status = armilla_fail(ARMILLA_ERROR_IO, "PNG: %s", message);
    longjmp(png->escape, 1);
}

static void on_warning(png_structp structure, png_const_charp message)
{
    (void)structure, (void)message; /* the library does not print */
}

/* Three bytes, or the last one or two of a file, as four letters (RFC 4648). Returned: written? */
static int put_group(armilla_png *png)
{
    static const char LETTERS[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = png->nrest; i < 3; i++) png->rest[i] = 0;
    const unsigned bits = (unsigned)png->rest[0] << 16 | (unsigned)png->rest[1] << 8 | png->rest[2];
    char letters[4];
    for (int i = 0; i < 4; i++)
        letters[i] = i <= png->nrest ? LETTERS[bits >> (18 - 6 * i) & 63] : '=';
    png->nrest = 0;
    return fwrite(letters, 1, 4, png->file) == 4;
}

static int put_text(armilla_png *png, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        png->rest[png->nrest++] = bytes[i];
        if (png->nrest == 3 && !put_group(png)) return 0;
    }
    return 1;
}

static void on_write(png_structp structure, png_bytep bytes, png_size_t count)
{
    armilla_png *png = png_get_io_ptr(structure);
    if (png->as_text ? put_text(png, bytes, count) : fwrite(bytes, 1, count, png->file) == count)
        return;
    png->status = armilla_fail(ARMILLA_ERROR_IO, "cannot write the picture: %s", strerror(errno));
    png_error(structure, "write error");
}

static void on_flush(png_structp structure)
{
    (void)structure; /* stdio's buffer is flushed by fclose */
}

static png_voidp on_allocate(png_structp structure, png_alloc_size_t bytes)
{
    armilla_png *png = png_get_mem_ptr(structure);
    void *memory;
    armilla_status status = armilla_allocate(&memory, (int64_t)bytes, 1);
    if (status) png->status = status;
    return memory;
}

static void on_release(png_structp structure, png_voidp memory)
{
    (void)structure;
    armilla_release(memory);
}

/* --- Calls of libpng: one function each, so that setjmp's rules are easy to see -----------------
 */

static armilla_status create_structures(armilla_png *png)
{
    if (setjmp(png->escape)) return png->status;
    png->structure = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, png, on_error, on_warning,
                                               png, on_allocate, on_release);
    if (png->structure) png->info = png_create_info_struct(png->structure);
    if (png->info) return ARMILLA_OK;
    if (png->status) return png->status;
    return armilla_fail(ARMILLA_ERROR_INTERNAL, "libpng %s is not the one compiled for",
                        png_get_libpng_ver(NULL));
}

static armilla_status write_header(armilla_png *png)
{
    if (setjmp(png->escape)) return png->status;
    png_set_write_fn(png->structure, png, on_write, on_flush);
    png_set_user_limits(png->structure, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(png->structure, png->info, (png_uint_32)png->width, (png_uint_32)png->height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB_gAMA_and_cHRM(png->structure, png->info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png->structure, png->info);
    return ARMILLA_OK;
}

static armilla_status write_row(armilla_png *png, const armilla_rgb *row)
{
    if (setjmp(png->escape)) return png->status;
    png_write_row(png->structure, (png_const_bytep)row);
    return ARMILLA_OK;
}

static armilla_status write_end(armilla_png *png)
{
    if (setjmp(png->escape)) return png->status;
    png_write_end(png->structure, png->info);
    return ARMILLA_OK;
}

/* --- The writer ---------------------------------------------------------------------------------
 */

void armilla_png_abandon(armilla_png *png)
{
    if (!png) return;
    if (png->structure) png_destroy_write_struct(&png->structure, &png->info);
    if (png->file && !png->as_text) fclose(png->file);
    armilla_release(png);
}

static armilla_status open_file(armilla_png *png)
{
    png->file = fopen(png->path, "wb");
    if (png->file) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_IO, "cannot write %s: %s", png->path, strerror(errno));
}

static armilla_status start(const armilla_png *what, armilla_png **png)
{
    armilla_png *made;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (status) return status;
    *made = *what;
    if (!made->as_text) status = open_file(made);
    if (!status) status = create_structures(made);
    if (!status) status = write_header(made);
    if (status) {
        armilla_png_abandon(made);
        return status;
    }
    *png = made;
    return ARMILLA_OK;
}

armilla_status armilla_png_open(const char *path, int64_t width, int64_t height, armilla_png **png)
{
    return start(&(armilla_png){.path = path, .width = width, .height = height}, png);
}

armilla_status armilla_png_begin_text(FILE *file, int64_t width, int64_t height, armilla_png **png)
{
    return start(&(armilla_png){.file = file, .as_text = 1, .width = width, .height = height}, png);
}

armilla_status armilla_png_write_rows(armilla_png *png, const armilla_rgb *pixels, int64_t rows)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < rows && !status; i++) status = write_row(png, pixels + i * png->width);
    return status;
}

static armilla_status write_failed(void)
{
    return armilla_fail(ARMILLA_ERROR_IO, "cannot write the picture: %s", strerror(errno));
}

armilla_status armilla_png_finish(armilla_png *png)
{
    armilla_status status = write_end(png);
    FILE *file = png->file;
    if (png->as_text) {
        if (!status && png->nrest > 0 && !put_group(png)) status = write_failed();
    } else {
        png->file = NULL;
        if (fclose(file) && !status) status = write_failed();
    }
    armilla_png_abandon(png);
    return status;
}
