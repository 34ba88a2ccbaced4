#!/usr/bin/env bash
# Runs an MPI program on several "hosts" of one machine, whose network and processes can be made to
# fail while it runs.
#
#   tests/mpi/hosts.sh [OPTION VALUE] ... -- PROGRAM [ARGUMENT] ...
#
#   --mpi openmpi|mpich     whose mpirun starts PROGRAM (openmpi)
#   --hosts N               number of hosts (3)
#   --per-host K            ranks on each (1)
#   --fault none|loss|slow|kill-host|link-down
#   --victim I              the host that the last two faults hit, 1 to N (N)
#   --after SECONDS         when the fault comes, counted from when --least-bytes have crossed (2);
#                           0: before the program starts
#   --bound SECONDS         how long the job may go on, from its start or from a fatal fault (30)
#   --least-bytes BYTES     how many have to leave the hosts (1000000)
#   --timeouts short|stock  stock leaves the time-outs of MPI and of TCP as they come (short)
#
# Faults:
#   loss       every hundredth packet that arrives at a host is dropped, at random
#   slow       each host sends 80 Mbit/s at most
#   kill-host  all processes of the victim get SIGKILL at once; its network goes on, so that peers
#              are told
#   link-down  the victim's cable is drawn: nobody is told
#
# Exit status. With none, loss and slow it is PROGRAM's. The last two are fatal: it is 0 if the job
# ended within the bound, with a status other than 0, and left no process on the other hosts.
# 1: the job did not end in time, too few bytes crossed, the job was over before the fault, or the
# fault did nothing; a line on stderr says which. 2: wrong options. 77: this machine cannot do it
# (no privilege for namespaces, or the kernel has no tbf or no statistic match).
#
# Hosts. Each is a set of namespaces (network, host name, processes, mounts, IPC) with a /dev/shm of
# its own and a veth cable to a bridge; nothing but other files is shared. mpirun runs beside the
# bridge, as on a login node, and a script that enters namespaces takes the place of ssh. Other host
# names are enough for both MPIs to use TCP between hosts. Everything, this script too, lives in
# namespaces that end with their first process: whatever kills it, nothing is left, and no name can
# be in the way of another run. Without root it runs in a user namespace.
#
# What bounds the time until a dead link is noticed:
#   Open MPI 4.1: its TCP connections between ranks have no keepalive, and a rank whose connection
#     times out prints a line and goes on waiting. Only mpirun's connections to its daemons end the
#     job: by default after 300 s + 9 * 20 s (486 s measured), with oob_tcp_keepalive_time, _intvl
#     and _probes = 4, 2, 3 after some 10 s.
#   MPICH 4.0 (hydra, UCX): no connection has keepalive, no option asks for it, and the end of ssh
#     is not noticed. hosts_keepalive.c, preloaded into mpiexec and its proxies but not into ranks,
#     does what Open MPI's settings do. (MPIEXEC_TIMEOUT, which bounds the whole job, works too.)
#   Both: while data are on their way, keepalive rests, and net.ipv4.tcp_retries2 counts: 15 (a
#     quarter of an hour) by default, here 5 (13 s).
# MPICH's ranks get hosts_mpich.c preloaded, without which MPI_Finalize hangs. (A program with
# AddressSanitizer needs ASAN_OPTIONS=verify_asan_link_order=0 then.)
set -euo pipefail

mpi=openmpi
hosts=3
per_host=1
fault=none
victim=
after=2
bound=30
least_bytes=1000000
timeouts=short
program=()

# Says what went wrong and ends with status $2, or 1.
fail() {
    echo "hosts: $1" >&2
    exit "${2:-1}"
}

# Sets the variables above from the command line.
read_options() {
    while [ $# -gt 1 ] && [ "$1" != -- ]; do
        case $1 in
        --mpi) mpi=$2 ;;
        --hosts) hosts=$2 ;;
        --per-host) per_host=$2 ;;
        --fault) fault=$2 ;;
        --victim) victim=$2 ;;
        --after) after=$2 ;;
        --bound) bound=$2 ;;
        --least-bytes) least_bytes=$2 ;;
        --timeouts) timeouts=$2 ;;
        *) fail "unknown option $1" 2 ;;
        esac
        shift 2
    done
    program=("${@:2}")
    victim=${victim:-$hosts}
    check_options
}

# Refuses values that are none of those above.
check_options() {
    [ ${#program[@]} -gt 0 ] || fail "no program after --" 2
    [[ $mpi =~ ^(openmpi|mpich)$ ]] || fail "--mpi $mpi" 2
    [[ $fault =~ ^(none|loss|slow|kill-host|link-down)$ ]] || fail "--fault $fault" 2
    [[ $timeouts =~ ^(short|stock)$ ]] || fail "--timeouts $timeouts" 2
    local number
    for number in "$hosts" "$per_host" "$victim" "$after" "$bound" "$least_bytes"; do
        [[ $number =~ ^[0-9]+$ ]] || fail "$number is not a whole number" 2
    done
    ((hosts >= 1 && hosts <= 99)) || fail "--hosts $hosts" 2
    ((victim >= 1 && victim <= hosts)) || fail "--victim $victim" 2
}

# Starts this script again as the first process of namespaces of its own, and waits for it.
enter_namespaces() {
    local namespaces=(--net --uts --ipc --mount --pid --mount-proc --fork --kill-child=KILL)
    [ "$(id -u)" = 0 ] || namespaces=(--user --map-root-user "${namespaces[@]}")
    unshare "${namespaces[@]}" mount -t tmpfs tmpfs /dev/shm ||
        fail "no privilege to make namespaces" 77
    setpriv --pdeathsig KILL unshare "${namespaces[@]}" "$BASH" "$0" --inside "$@" <&0 &
    local child=$! status=0
    # shellcheck disable=SC2064 # the child's number is known now
    trap "kill -KILL $child; exit 143" INT TERM HUP
    wait "$child" || status=$?
    exit "$status"
}

# Makes this namespace the login node, with the bridge that joins all hosts.
make_login_node() {
    mount -t tmpfs tmpfs /dev/shm
    hostname login
    {
        echo "127.0.0.1 localhost"
        echo "10.77.0.254 login"
        for i in $(seq "$hosts"); do echo "10.77.0.$i host$i"; done
    } >/dev/shm/hosts
    mount --bind /dev/shm/hosts /etc/hosts
    ip link set dev lo up
    ip link add name bridge type bridge
    ip addr add 10.77.0.254/24 dev bridge
    ip link set dev bridge up
    retries=$(cat /proc/sys/net/ipv4/tcp_retries2)
    [ "$timeouts" = stock ] || retries=5
    echo "$retries" >/proc/sys/net/ipv4/tcp_retries2
    write_launcher
}

# Writes what mpirun calls in the place of ssh: OPTION ... HOST COMMAND ...
write_launcher() {
    cat >/dev/shm/launcher <<'END'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec nsenter --target "$(cat "/dev/shm/$host.pid")" --net --uts --ipc --mount --pid -- sh -c "$*"
END
    chmod +x /dev/shm/launcher
}

# Makes host $1: namespaces kept by a process that sleeps, and a cable to the bridge.
make_host() {
    local name=host$1 keeper pid
    # Open MPI wants the launcher to exist on all hosts.
    unshare --net --uts --ipc --mount --pid --mount-proc --fork --kill-child=KILL sh -c "
        hostname $name && mount -t tmpfs tmpfs /dev/shm && cat >/dev/shm/launcher &&
        chmod +x /dev/shm/launcher && touch /dev/shm/ready && exec sleep infinity" \
        </dev/shm/launcher &
    keeper=$!
    disown "$keeper"
    until pid=$(pgrep -P "$keeper") && [ -e "/proc/$pid/root/dev/shm/ready" ]; do
        kill -0 "$keeper" || fail "$name does not start"
        sleep 0.01
    done
    echo "$pid" >"/dev/shm/$name.pid"
    echo "$keeper" >"/dev/shm/$name.keeper"
    stat -Lc %i "/proc/$pid/ns/pid" >"/dev/shm/$name.inode"
    ip link add name "$name" type veth peer name eth0 netns "$pid"
    ip link set dev "$name" master bridge up
    on_host "$1" sh -c "
        ip link set dev lo up && ip addr add 10.77.0.$1/24 dev eth0 && ip link set dev eth0 up &&
        echo $retries >/proc/sys/net/ipv4/tcp_retries2"
}

# Runs a command in the network of host $1.
on_host() {
    local pid
    pid=$(cat "/dev/shm/host$1.pid")
    shift
    nsenter --target "$pid" --net -- "$@"
}

# Prints how many bytes have left all hosts.
bytes_crossed() {
    awk '/^ *host[0-9]/ { sub(/:/, " "); n += $2 } END { printf "%.0f\n", n }' /proc/net/dev
}

# Sets "launch" to what starts the program under Open MPI.
openmpi_launch() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    launch=(mpirun.openmpi --host "$(host_list)" -n $((hosts * per_host)) --bind-to none
        --mca plm_rsh_agent /dev/shm/launcher --mca plm_rsh_no_tree_spawn 1
        --mca orte_tmpdir_base /dev/shm --mca mpi_yield_when_idle 1)
    [ "$timeouts" = stock ] || launch+=(--mca oob_tcp_keepalive_time 4
        --mca oob_tcp_keepalive_intvl 2 --mca oob_tcp_keepalive_probes 3)
}

# Sets "launch" to what starts the program under MPICH.
mpich_launch() {
    launch=(mpirun.mpich -launcher ssh -launcher-exec /dev/shm/launcher -hosts "$(host_list)"
        -n $((hosts * per_host)) -genv LD_PRELOAD "$(preloaded hosts_mpich)")
    [ "$timeouts" = stock ] || launch=(env "LD_PRELOAD=$(preloaded hosts_keepalive)" "${launch[@]}")
}

# Prints all hosts with their numbers of ranks.
host_list() {
    seq -s, -f "host%g:$per_host" "$hosts"
}

# Compiles the library $1, gives each host a copy, and prints its path.
preloaded() {
    local path=/dev/shm/$1.so i
    cc -shared -fPIC -O2 -o "$path" "$(dirname "$0")/$1.c"
    for i in $(seq "$hosts"); do
        nsenter --target "$(cat "/dev/shm/host$i.pid")" --mount -- \
            sh -c "cat >$path && chmod +x $path" <"$path"
    done
    echo "$path"
}

# Brings the fault about.
apply_fault() {
    local i
    case $fault in
    kill-host) kill -KILL "$(cat "/dev/shm/host$victim.keeper")" ;;
    link-down) on_host "$victim" ip link set dev eth0 down ;;
    loss) for i in $(seq "$hosts"); do lose_packets "$i"; done ;;
    slow) for i in $(seq "$hosts"); do slow_down "$i"; done ;;
    esac
}

# Drops 1 % of the packets that reach host $1, each as small as on a real cable.
lose_packets() {
    ip link set dev "host$1" gso_max_segs 1
    on_host "$1" ip link set dev eth0 gso_max_segs 1
    on_host "$1" env XTABLES_LOCKFILE=/dev/shm/xtables.lock iptables -A INPUT -i eth0 \
        -m statistic --mode random --probability 0.01 -j DROP ||
        fail "no iptables with a statistic match here: fault loss is impossible" 77
}

# Limits what host $1 sends.
slow_down() {
    on_host "$1" tc qdisc add dev eth0 root tbf rate 80mbit burst 64kb latency 50ms ||
        fail "the kernel has no tbf: fault slow is impossible" 77
}

# Prints how many packets have been dropped (loss) or had to wait (slow).
packets_hit() {
    local i
    for i in $(seq "$hosts"); do
        case $fault in
        loss) on_host "$i" iptables -nvxL INPUT | awk '/DROP/ && /statistic/ { print $1 }' ;;
        slow) on_host "$i" tc -s qdisc show dev eth0 | sed -n 's/.*overlimits \([0-9]*\).*/\1/p' ;;
        esac
    done | awk '{ n += $1 } END { print n + 0 }'
}

# Prints how many processes of the job live on the victim ($1 = victim) or on all other hosts.
processes_left() {
    local own victims
    own=$(stat -Lc %i /proc/$$/ns/pid)
    victims=$(cat "/dev/shm/host$victim.inode")
    ps -e -o pidns=,stat=,comm= | awk -v own="$own" -v victims="$victims" -v which="$1" '
        $1 != own && $2 !~ /Z/ && $3 != "sleep" && ($1 == victims) == (which == "victim") { n++ }
        END { print n + 0 }'
}

# Returns whether the job goes on: mpirun, or a process on a host that has no fault.
job_runs() {
    kill -0 "$job" 2>/dev/null || [ "$(processes_left elsewhere)" -gt 0 ]
}

# Prints the tenths of a second since the job's start or, if there was one, the fatal fault.
tenths_passed() {
    local now=${EPOCHREALTIME/[.,]/}
    echo $(((now - counted_from) / 100000))
}

# Returns whether the job is meant to fail.
is_fatal() {
    [ "$fault" = kill-host ] || [ "$fault" = link-down ]
}

# Waits until it is time for the fault, and applies it.
run_until_fault() {
    while kill -0 "$job" 2>/dev/null && [ "$(bytes_crossed)" -lt "$least_bytes" ] &&
        [ "$(tenths_passed)" -lt $((10 * bound)) ]; do
        sleep 0.05
    done
    sleep "$after" &
    wait -n "$job" $! || true
    kill -0 "$job" 2>/dev/null || fail "the job was over before the fault: nothing was tested"
    apply_fault
    ! is_fatal || counted_from=${EPOCHREALTIME/[.,]/}
}

# Runs the job, with its fault, until it ends or its time is over.
run_job() {
    counted_from=${EPOCHREALTIME/[.,]/}
    "${launch[@]}" "${program[@]}" <&0 &
    job=$!
    [ "$fault" = none ] || [ "$after" = 0 ] || run_until_fault
    while job_runs && [ "$(tenths_passed)" -lt $((10 * bound)) ]; do sleep 0.05; done
}

# Says how the job ended, and ends with the status that the header describes.
judge() {
    local status=0 tenths bytes told
    tenths=$(tenths_passed)
    bytes=$(bytes_crossed)
    told="after $((tenths / 10)).$((tenths % 10)) s"
    job_runs && fail "$mpi, $fault: still running $told: killed; $bytes bytes crossed"
    wait "$job" || status=$?
    told="hosts: $mpi, $fault: ended $told with status $status; $bytes bytes crossed"
    case $fault in
    loss | slow) told+="; $(packets_hit) packets hit" ;;
    kill-host | link-down) told+="; $(processes_left victim) processes left on host$victim" ;;
    esac
    echo "$told" >&2
    [ "$bytes" -ge "$least_bytes" ] || fail "fewer than $least_bytes bytes: nothing was tested"
    if is_fatal; then
        [ "$status" != 0 ] || fail "the job ended with status 0 in spite of the fault"
        exit 0
    fi
    [ "$fault" = none ] || [ "$(packets_hit)" -gt 0 ] ||
        fail "the fault hit no packet: nothing was tested"
    exit "$status"
}

# Makes the hosts and runs the job; this is the first process of the namespaces.
run_inside() {
    local i
    make_login_node
    for i in $(seq "$hosts"); do make_host "$i"; done
    # Keeps the victim's network, with its counters and the last words of its sockets.
    exec 9<"/proc/$(cat "/dev/shm/host$victim.pid")/ns/net"
    if [ "$mpi" = openmpi ]; then openmpi_launch; else mpich_launch; fi
    [ "$after" != 0 ] || apply_fault
    run_job
    judge
}

PATH=$PATH:/usr/sbin:/sbin
if [ "${1-}" = --inside ]; then
    read_options "${@:2}"
    run_inside
else
    read_options "$@"
    [ -n "$(type -P "mpirun.$mpi")" ] || fail "there is no mpirun.$mpi" 77
    enter_namespaces "$@"
fi
