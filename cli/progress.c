/* Draws a command's progress bar on stderr and remembers the signals that ask for an end, of which
 * the library hears when it reports progress. One process does one piece of work, so the state is
 * static. */
#include "progress.h"

#include "message.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 40 };
static const double quiet_time_s = 1.0; /* work shorter than this shows no bar */

static volatile sig_atomic_t signal_received;
static struct {
    int enabled, visible;
    double start_s, from, to;
    const char *stage;
} bar;

static double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void remember(int signal_number)
{
    signal_received = signal_number;
}

/* A second signal of the kind ends the process at once (SA_RESETHAND); a signal that the parent
 * ignores, as nohup does with SIGHUP, stays ignored. */
static void catch (int signal_number)
{
    struct sigaction old, action;
    if (sigaction(signal_number, NULL, &old) == 0 && old.sa_handler == SIG_IGN) return;
    memset(&action, 0, sizeof action);
    action.sa_handler = remember;
    action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

void progress_setup(int quiet)
{
    signal(SIGXFSZ, SIG_IGN); /* a file-size limit becomes an error that can be reported */
    catch (SIGINT);
    catch (SIGTERM);
    catch (SIGHUP);
    bar.enabled = !quiet && isatty(STDERR_FILENO);
    bar.start_s = clock_s();
    progress_stage("", 0, 1);
}

void progress_stage(const char *name, double from, double to)
{
    bar.stage = name, bar.from = from, bar.to = to;
}

static void draw(double fraction)
{
    char cells[BAR_WIDTH + 1];
    int filled = (int)(fraction * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++) cells[i] = i < filled ? '#' : '.';
    cells[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r%-12s [%s] %3d %%", bar.stage, cells, (int)(100 * fraction));
    fflush(stderr);
    bar.visible = 1;
}

int progress_report(void *data, double fraction)
{
    (void)data;
    if (bar.enabled && clock_s() - bar.start_s > quiet_time_s)
        draw(bar.from + (bar.to - bar.from) * fraction);
    return signal_received != 0;
}

void progress_erase(void)
{
    if (!bar.visible) return;
    fputs("\r\033[K", stderr);
    bar.visible = 0;
}

int progress_stopped(void)
{
    if (!signal_received) return 0;
    work_error("interrupted; no output was written");
    return 1;
}

void progress_obey_signal(void)
{
    if (!signal_received) return;
    signal(signal_received, SIG_DFL);
    raise(signal_received);
}
