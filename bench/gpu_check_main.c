/* The program gpu_check; what it does is in gpu_check.c, in a library that Python can load, too. */
#include "armilla/status.h"

ARMILLA_API int gpu_check_main(int argc, char **argv);

int main(int argc, char **argv)
{
    return gpu_check_main(argc, argv);
}
