/* Draws a command's progress bar on stderr and remembers the signals that ask for an end, of which
 * the library hears when it reports progress. One process does one piece of work, so the state is
 * static. */
#include "progress.h"

#include "message.h"
#include "ranks.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 40 };
static const double quiet_time_s = 1.0; /* work shorter than this shows no bar */

static volatile sig_atomic_t signal_received;
static char guarded[PATH_MAX]; /* "": no file */
static struct {
    FILE *terminal; /* NULL: no bar */
    int visible;
    double start_s, from, to, part_from, part_to;
    const char *stage;
    double (*slowest)(double position); /* of all ranks; NULL: there is one */
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
    if (*guarded) unlink(guarded);
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

/* Launchers give ranks a pipe for stderr. Open MPI's leaves them the terminal of the job; MPICH's
 * does not, so that a user has to say that the pipe leads to one. */
static FILE *find_terminal(void)
{
    const char *wish = getenv("ARMILLA_PROGRESS");
    if (isatty(STDERR_FILENO)) return stderr;
    if (!ranks_transport()) return NULL;
    if (wish) return strcmp(wish, "1") == 0 ? stderr : NULL;
    return fopen("/dev/tty", "we");
}

void progress_setup(int quiet)
{
    signal(SIGXFSZ, SIG_IGN); /* a file-size limit becomes an error that can be reported */
    catch (SIGINT);
    catch (SIGTERM);
    catch (SIGHUP);
    if (!quiet && ranks_is_first()) bar.terminal = find_terminal();
    bar.start_s = clock_s();
    progress_stage("", 0, 1);
}

void progress_stage(const char *name, double from, double to)
{
    bar.stage = name, bar.from = from, bar.to = to;
    progress_part(0, 1);
}

void progress_part(double from, double to)
{
    bar.part_from = from, bar.part_to = to;
}

void progress_share(double (*slowest)(double position))
{
    bar.slowest = slowest;
}

static void draw(double fraction)
{
    char cells[BAR_WIDTH + 1];
    int filled = (int)(fraction * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++) cells[i] = i < filled ? '#' : '.';
    cells[BAR_WIDTH] = '\0';
    fprintf(bar.terminal, "\r%-12s [%s] %3d %%", bar.stage, cells, (int)(100 * fraction));
    fflush(bar.terminal);
    bar.visible = 1;
}

int progress_report(void *data, double fraction)
{
    (void)data;
    const double inside = bar.part_from + (bar.part_to - bar.part_from) * fraction;
    double position = bar.from + (bar.to - bar.from) * inside;
    if (bar.slowest) position = bar.slowest(position);
    if (bar.terminal && clock_s() - bar.start_s > quiet_time_s) draw(position);
    return signal_received != 0;
}

void progress_erase(void)
{
    if (!bar.visible) return;
    fputs("\r\033[K", bar.terminal);
    fflush(bar.terminal);
    bar.visible = 0;
}

int progress_stopped(void)
{
    if (!ranks_any(signal_received != 0)) return 0;
    work_error("interrupted; no output was written");
    return 1;
}

void progress_drop(void)
{
    if (guarded[0]) unlink(guarded);
}

/* The name is there before its first letter says so. */
void progress_guard(const char *temporary)
{
    guarded[0] = '\0';
    if (!temporary || strlen(temporary) >= sizeof guarded) return;
    strcpy(guarded + 1, temporary + 1);
    atomic_signal_fence(memory_order_seq_cst);
    guarded[0] = temporary[0];
}

void progress_obey_signal(void)
{
    if (!signal_received) return;
    signal(signal_received, SIG_DFL);
    raise(signal_received);
}
