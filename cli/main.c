/* The armilla command: one process. */
#include "progress.h"
#include "run.h"

int main(int argc, char **argv)
{
    const int code = run_command_line(argc, argv);
    progress_obey_signal();
    return code;
}
