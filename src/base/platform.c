/* The part of the operating system that all systems with POSIX share: threads and locales. */
#include "base/platform.h"

enum { STACK_BYTES = 8 << 20 }; /* macOS has 512 KB for threads, musl 128 KB */

/* Detached when it runs: with a thread that is made detached, a forked child under AddressSanitizer
 * waited for ever in one of three runs of test_pool. */
int armilla_platform_start_thread(pthread_t *thread, void *(*function)(void *), void *argument)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes)) return 0;
    const int failed = pthread_attr_setstacksize(&attributes, STACK_BYTES) ||
                       pthread_create(thread, &attributes, function, argument);
    pthread_attr_destroy(&attributes);
    if (!failed) pthread_detach(*thread);
    return !failed;
}

void armilla_c_locale_enter(armilla_c_locale *scope)
{
    scope->own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    scope->previous = scope->own ? uselocale(scope->own) : (locale_t)0;
}

void armilla_c_locale_leave(const armilla_c_locale *scope)
{
    if (!scope->own) return;
    uselocale(scope->previous);
    freelocale(scope->own);
}
