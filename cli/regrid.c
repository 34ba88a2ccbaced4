/* armilla regrid: labelled arrays on another grid, by their coefficients. */
#include "commands.h"
#include "labelled.h"
#include "message.h"

typedef struct arguments {
    common base;
    labelled_arguments labelled;
} arguments;

#define AT(field) offsetof(arguments, labelled.field)

static const option table[] = {
    {"grid", OPTION_GRID_NAME, AT(grid), "NAME",
     "the new grid: F320, O1280, H512 (HEALPix in RING order), H512n (NESTED)", 0, 0},
    {"from", OPTION_GRID_NAME, AT(from), "NAME", "the grid of FILE, if its labels do not name it",
     0, 0},
    {"var", OPTION_TEXT, AT(var), "NAMES", "variables, such as ua,va; default: all on the grid", 0,
     0},
    {"lmax", OPTION_INTEGER, AT(lmax), "L",
     "keep degrees up to L; default: all that both grids hold", 0, MAX_DEGREE},
    {"iter", OPTION_STEPS, AT(iterations), "N|auto",
     "Jacobi iterations; default: auto, as many as help", 0, 1000},
    {"missing", OPTION_TEXT, AT(missing), "error|propagate|zero|fit",
     "what to do about missing values; default: error", 0, 0},
    {"threads", OPTION_INTEGER, offsetof(arguments, base.threads), "N",
     "work on N fields at once; 0 (default): one for each processor", 0, 4096},
    {.name = NULL},
};

static void defaults(void *self)
{
    arguments *a = self;
    a->labelled.lmax = a->labelled.iterations = -1;
}

static int check(void *self)
{
    arguments *a = self;
    if (a->base.json) return usage_error("--json: regrid has no report; omit it");
    if (a->base.nfiles > 1 && a->base.output)
        return usage_error("\"%s\" and -o \"%s\": two outputs; give only one of them",
                           a->base.files[1], a->base.output);
    if (a->base.nfiles > 1) a->base.output = a->base.files[1];
    if (!a->base.output) return usage_error("the output is missing: -o FILE");
    if (!a->labelled.grid) return usage_error("the new grid is missing: --grid NAME, as in F320");
    if (!labelled_is(a->base.files[0]))
        return usage_error("\"%s\": the name must end in .nc, .zarr or .grib; for maps in FITS use "
                           "armilla analyze and armilla synthesize --grid",
                           a->base.files[0]);
    return labelled_check(&a->labelled);
}

static int work(void *self)
{
    const arguments *a = self;
    return labelled_run("regrid", &a->base, a->base.output, &a->labelled);
}

const command regrid_command = {
    .name = "regrid",
    .summary = "put fields of NetCDF, Zarr or GRIB on another grid",
    .usage = "regrid FILE OUT --grid NAME [options]",
    .text =
        "Transforms each field of FILE (.nc, .zarr, .grib) to coefficients and then to the new "
        "grid,\n"
        "and writes OUT (.nc or .zarr); other dimensions, attributes and coordinates are kept. "
        "The\n"
        "grid of FILE follows from its coordinates of latitude and longitude, or from its HEALPix\n"
        "grid mapping. This needs the Python package with xarray\n"
        "(" LABELLED_INSTALL "). Each thread reads, transforms and writes\n"
        "one field at a time. Fields are analyzed with all degrees that the grid of FILE holds;\n"
        "degrees that the new grid cannot hold are then cut.",
    .example = "armilla regrid forecast.nc forecast.zarr --grid H512n",
    .min_files = 1,
    .max_files = 2,
    .file_missing = "the FILE is missing",
    .tables = {table, output_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};
