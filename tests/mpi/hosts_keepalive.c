/*
 * A library to preload into MPICH's mpiexec and its proxies: their TCP connections notice within
 * ten seconds that the other host is gone. Open MPI has settings for that (oob_tcp_keepalive_time,
 * _intvl, _probes), MPICH has none. Debian's package libkeepalive0 is meant for the same.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

enum { IDLE_SECONDS = 4, INTERVAL_SECONDS = 2, PROBES = 3 };

static void keep_alive(int fd)
{
    int on = 1, idle = IDLE_SECONDS, interval = INTERVAL_SECONDS, probes = PROBES;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

/* Takes the place of the C library's; connections inherit the settings of the listening socket. */
int socket(int domain, int type, int protocol)
{
    int (*real)(int, int, int);
    *(void **)&real = dlsym(RTLD_NEXT, "socket");
    int fd = real(domain, type, protocol);
    if (fd >= 0 && domain == AF_INET) keep_alive(fd);
    return fd;
}
