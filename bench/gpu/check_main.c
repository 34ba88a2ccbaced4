/* The program gpu_check has a main and nothing else: what it does is in check.c, in a library that
 * Python can load, too. */
#include "armilla/status.h"

ARMILLA_API int gpu_check_main(int argc, char **argv);

int main(int argc, char **argv)
{
    return gpu_check_main(argc, argv);
}
