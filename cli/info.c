/* armilla info: what a file holds; without a file, what this build and machine can do. */
#include "commands.h"
#include "message.h"
#include "paths.h"

#include <armilla/armilla.h>
#include <stdio.h>

static void describe_gpu(void)
{
    armilla_device_description gpu = {.size = sizeof gpu};
    if (armilla_device_describe(ARMILLA_CUDA, &gpu)) {
        printf("GPU: none; %s\n", armilla_status_message());
        return;
    }
    printf("GPU: %s, %.1f GB (%.1f GB free), compute capability %d.%d, CUDA %d.%d, driver %d.%d\n",
           gpu.name, 1e-9 * (double)gpu.memory_bytes, 1e-9 * (double)gpu.free_bytes,
           (int)gpu.compute_capability / 10, (int)gpu.compute_capability % 10,
           (int)gpu.runtime_version / 1000, (int)gpu.runtime_version % 1000 / 10,
           (int)gpu.driver_version / 1000, (int)gpu.driver_version % 1000 / 10);
}

static int describe_machine(void)
{
    printf("armilla %s\ninstruction sets:", armilla_version());
    for (int i = 0; armilla_isa_available(i); i++) printf(" %s", armilla_isa_available(i));
    printf(" (used: %s)\n", armilla_isa_name());
    printf("threads: %d\n", armilla_thread_count());
    describe_gpu();
    puts("MPI: none; no build of this version has it");
    return finish_stdout(CLI_OK);
}

static int describe_file(const char *path)
{
    char *text;
    armilla_status status = armilla_io_describe(path, &text);
    if (status) return data_error(status, path);
    fputs(text, stdout);
    armilla_io_text_free(text);
    int code = finish_stdout(CLI_OK); /* the text first, which holds what is wrong as well */
    status = armilla_io_verify(path);
    return status ? data_error(status, path) : code;
}

static int work(void *self)
{
    const common *base = self;
    if (base->nfiles == 0) return describe_machine();
    const named_path file = {"", base->files[0]};
    int code = paths_check_input(&file);
    return code == CLI_OK ? describe_file(file.path) : code;
}

const command info_command = {
    .name = "info",
    .summary = "what a FITS file holds; without a file: this build and machine",
    .usage = "info [FILE]",
    .text = "Tells what kind of file it is, its columns, units, smallest and largest values. A\n"
            "truncated or damaged file is an error after what can be told of it.\n"
            "Without FILE: version, instruction sets and threads.",
    .example = "armilla info map.fits",
    .max_files = 1,
    .arguments_size = sizeof(common),
    .work = work,
};
