/* Writes a file of several ranks in step: they agree that it is begun, that all of it was written,
 * that nobody asked for an end, and that it has its name. */
#include "ranks_output.h"

#include "message.h"
#include "progress.h"
#include "ranks.h"

int ranks_output_write(const ranks_output *self)
{
    armilla_status status = self->begun;
    progress_guard(self->temporary);
    int code = ranks_agree(status ? data_error(status, self->path) : CLI_OK);
    if (code == CLI_OK) code = self->fill(self->data);
    if (code == CLI_OK && progress_stopped()) code = CLI_FAILED;
    if (code == CLI_OK) {
        status = ranks_is_first() ? self->finish(self->data) : ARMILLA_OK;
        code = ranks_agree(status ? data_error(status, self->path) : CLI_OK);
    }
    progress_guard(NULL);
    return code;
}
