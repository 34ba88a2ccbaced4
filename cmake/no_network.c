/* The six functions of libcurl that the archive of CFITSIO asks for, as a library without a network
 * has them: nothing here opens a socket. A file name that is a URL becomes an error of CFITSIO.
 * Used only with ARMILLA_STATIC_DEPENDENCIES. */
#include <stddef.h>

enum { CURL_FAILED_INIT = 2 };

void *curl_easy_init(void);
int curl_easy_setopt(void *handle, int option, ...);
int curl_easy_perform(void *handle);
void curl_easy_cleanup(void *handle);
int curl_global_init(long flags);
void curl_global_cleanup(void);

void *curl_easy_init(void)
{
    return NULL;
}

int curl_easy_setopt(void *handle, int option, ...)
{
    (void)handle;
    (void)option;
    return CURL_FAILED_INIT;
}

int curl_easy_perform(void *handle)
{
    (void)handle;
    return CURL_FAILED_INIT;
}

void curl_easy_cleanup(void *handle)
{
    (void)handle;
}

int curl_global_init(long flags)
{
    (void)flags;
    return CURL_FAILED_INIT;
}

void curl_global_cleanup(void)
{
}
