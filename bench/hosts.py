"""Several hosts on one machine: network namespaces on a bridge, with a rate limit both ways and optional delay. Needs Linux,
root and iproute2.

    with Hosts(7, "200mbit") as hosts:
        result = hosts.mpi(["build/ompfact", "--json", "-"], timeout=60)    # one rank a host
        print(result.stdout, result.tx, result.rx)                          # bytes that each host put on the wire and took off it

mpiexec itself sits in a namespace of its own without a limit. Everything goes when the with statement is left, also by a
signal; what a killed process left behind goes when the next one starts.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PREFIX = "netlab"
SUBNET = "10.77.0"
LAUNCHER = 254          # last byte of the address of mpiexec's own namespace
SKIPPED = 77            # automake's exit status of a test that cannot run here


class Unavailable(Exception):
    """This machine cannot make hosts; says why."""


class Result:
    def __init__(self, status, stdout, tx, rx, seconds):
        self.status, self.stdout, self.tx, self.rx, self.seconds = status, stdout, tx, rx, seconds


def bits_per_second(rate):
    """A rate in tc's words: 200mbit, 1gbit, 12.5mbps (bytes)."""
    match = re.fullmatch(r"([0-9.]+)(bit|kbit|mbit|gbit|bps|kbps|mbps|gbps)", rate.lower())
    if not match:
        raise ValueError(f"{rate}: a rate is a number and kbit, mbit, gbit, kbps, mbps or gbps")
    return float(match[1]) * {"k": 1e3, "m": 1e6, "g": 1e9}.get(match[2][0], 1) * (8 if match[2].endswith("bps") else 1)


def milliseconds(delay):
    match = re.fullmatch(r"([0-9.]+)(us|ms|s)?", delay)
    if not match:
        raise ValueError(f"{delay}: a delay is a number and us, ms or s")
    return float(match[1]) * {"us": 1e-3, "ms": 1, "s": 1e3}[match[2] or "ms"]


def core_shares(text):
    """Cores of the hosts on a command line: 0.5 for each of them, or 0.5,0.5,0.25 one by one."""
    return [float(word) for word in text.split(",")]


def run(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, **options)


def processes_in(namespace):
    return [int(pid) for pid in run("ip", "netns", "pids", namespace).stdout.split()]


def remove(prefix):
    """Ends what runs in the namespaces of that name and deletes them."""
    names = [line.split()[0] for line in run("ip", "netns", "list").stdout.splitlines() if line.startswith(prefix)]
    for kind in (signal.SIGTERM, signal.SIGKILL):
        pids = [pid for name in names for pid in processes_in(name)]
        for pid in pids:
            try:
                os.kill(pid, kind)
            except ProcessLookupError:
                pass
        if pids:
            time.sleep(0.3)
    for name in names:
        run("ip", "netns", "del", name)


def cgroup_root():
    """Where control groups for cores are made: version 1, or 2."""
    old, new = "/sys/fs/cgroup/cpu", "/sys/fs/cgroup"
    return old if os.path.exists(f"{old}/cgroup.procs") else new


def remove_folder(folder):
    try:
        os.rmdir(folder)
    except OSError:
        pass


def remove_stale():
    """What processes that are no more have left: namespaces, control groups, launchers."""
    temporary = tempfile.gettempdir()
    spaces = [line.split()[0] for line in run("ip", "netns", "list").stdout.splitlines() if line]
    groups = os.listdir(cgroup_root()) if os.path.isdir(cgroup_root()) else []
    for name in {*spaces, *groups, *os.listdir(temporary)}:
        match = re.match(rf"({PREFIX}(\d+)-)", name)
        if not match or os.path.exists(f"/proc/{match[2]}"):
            continue
        if name in spaces:
            remove(match[1])
        if name in groups:
            remove_folder(f"{cgroup_root()}/{name}")
        shutil.rmtree(os.path.join(temporary, name), ignore_errors=True)


def demand_what_it_takes():
    if os.geteuid() != 0:
        raise Unavailable("network namespaces need root")
    for tool in ("ip", "tc", "nsenter"):
        if not shutil.which(tool):
            raise Unavailable(f"{tool} is not installed (packages iproute2 and util-linux)")


def launcher_words(mpiexec):
    """A launcher and its options, but for the hosts that it is told."""
    words = mpiexec.split()
    while "--host" in words:
        at = words.index("--host")
        del words[at:at + 2]
    return words


def is_open_mpi(mpiexec):
    return "HYDRA" not in run(mpiexec[0], "--version").stdout.upper()


class Cores:
    """Gives each host, or rank, its part of the machine's cores by the quotas of control groups, whose names are PREFIX1, PREFIX2, ..."""
    PERIOD = 10000      # microseconds; the default 100 ms would stall a rank for that long

    def __init__(self, prefix, shares):
        self.root = cgroup_root()
        self.folders = [f"{self.root}/{prefix}{h + 1}" for h in range(len(shares))]
        try:
            for folder, share in zip(self.folders, shares):
                os.mkdir(folder)
                for name, value in self._limits(max(1000, int(share * self.PERIOD))):
                    with open(f"{folder}/{name}", "w") as f:
                        f.write(str(value))
        except OSError as error:
            self.close()
            raise Unavailable(f"cores cannot be shared out by control groups: {error}")

    def _limits(self, quota):
        if self.root.endswith("cpu"):
            return [("cpu.cfs_period_us", self.PERIOD), ("cpu.cfs_quota_us", quota)]
        return [("cpu.max", f"{quota} {self.PERIOD}")]

    def close(self):
        for folder in self.folders:
            remove_folder(folder)


class Hosts:
    def __init__(self, count, rate, delay="0ms", cores=None, mtu=9000, buffer_ms=50, congestion="cubic", mpiexec=None):
        self.count, self.rate, self.delay, self.mtu = count, rate, milliseconds(delay), mtu
        self.buffer, self.congestion, self.cores = buffer_ms, congestion, None
        self.shares = cores * count if cores and len(cores) == 1 else cores
        self.prefix = f"{PREFIX}{os.getpid()}-"
        self.folder, self.relayed = None, False
        self.mpiexec = launcher_words(mpiexec or os.environ.get("MPIEXEC") or shutil.which("mpiexec.mpich") or "mpiexec")
        if not 1 <= count < LAUNCHER:
            raise ValueError(f"from 1 to {LAUNCHER - 1} hosts")
        if self.shares and len(self.shares) != count:
            raise ValueError(f"cores of {len(self.shares)} hosts, and there are {count}")
        bits_per_second(rate)

    def name(self, host):
        return f"{self.prefix}{host}"

    def address(self, host):
        return f"{SUBNET}.{host}"

    # ---- made and removed ----

    def __enter__(self):
        demand_what_it_takes()
        remove_stale()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda n, frame: sys.exit(128 + n))
        try:
            self._build()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)       # nothing interrupts the cleaning up
        remove(self.prefix)
        if self.cores:
            self.cores.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)

    def _batch(self, tool, namespace, lines):
        result = run(tool, "-n", namespace, "-batch", "-", input="\n".join(lines) + "\n")
        if result.returncode:
            raise Unavailable(f"{tool} says: {result.stderr.strip().splitlines()[0]}")

    def _build(self):
        self.switch = f"{self.prefix}switch"
        hosts = [*range(1, self.count + 1), LAUNCHER]
        for name in [self.switch, *map(self.name, hosts)]:
            made = run("ip", "netns", "add", name)
            if made.returncode:
                raise Unavailable(f"no network namespaces here: {made.stderr.strip()}")
        ports = ["link add bridge type bridge forward_delay 0", f"link set bridge mtu {self.mtu} up"]
        for h in hosts:
            ports += [f"link add port{h} mtu {self.mtu} type veth peer name eth0 mtu {self.mtu} netns {self.name(h)}",
                      f"link set port{h} master bridge up"]
        self._batch("ip", self.switch, ports)
        for h in hosts:
            self._batch("ip", self.name(h), ["link set lo up", f"address add {self.address(h)}/24 dev eth0",
                                             # one frame a packet, so that the counters count every header
                                             "link set eth0 gso_max_segs 1 up"])
            # by the route: not every namespace may set its sysctl
            self._batch("ip", self.name(h), [f"route replace {SUBNET}.0/24 dev eth0 congctl {self.congestion}"])
        for h in range(1, self.count + 1):
            self._limit(h)
        if self.shares:
            self.cores = Cores(self.prefix, self.shares)
        self._write_launcher()

    def _limit(self, h):
        """The same rate out of the host and out of the switch's port to it. A burst of three frames is not noticed."""
        limit = max(10 * self.mtu, int(bits_per_second(self.rate) / 8 * self.buffer / 1e3))
        tbf = f"tbf rate {self.rate} burst {3 * (self.mtu + 14)} limit {limit}"
        self._batch("tc", self.switch, [f"qdisc add dev port{h} root handle 1: {tbf}"])
        if self.delay and not self.relayed and self._delay_by_netem(h, limit):
            return
        self._batch("tc", self.name(h), [f"qdisc add dev eth0 root handle 1: {tbf}"])
        if self.delay and not self.relayed:
            self._delay_by_relay()

    def _delay_by_netem(self, h, limit):
        """Packets leave at the rate and then are under way for the delay. False: this kernel has no netem."""
        try:
            self._batch("tc", self.name(h), [f"qdisc add dev eth0 root handle 1: netem delay {self.delay}ms rate {self.rate} "
                                             f"limit {max(1000, limit // self.mtu)}"])
        except Unavailable:
            return False
        return True

    def _delay_by_relay(self):
        """A program in the place of the bridge; it ends with its namespace."""
        ports = [f"port{h}" for h in range(1, self.count + 1)]
        self._batch("ip", self.switch, [f"link set {port} nomaster" for port in [*ports, f"port{LAUNCHER}"]])
        relay = self.start_in(self.switch, [sys.executable, os.path.join(HERE, "delay_switch.py"), str(self.delay), *ports, "--",
                                            f"port{LAUNCHER}"], stdout=subprocess.PIPE, text=True)
        if relay.stdout.readline() != "ready\n":
            raise Unavailable("a delay needs the kernel's netem, or packet sockets for delay_switch.py")
        self.relayed = True

    def _write_launcher(self):
        """What a launcher calls in the place of ssh: drops ssh's options, runs the rest in the namespace of that address, under a
        host name of its own."""
        self.folder = tempfile.mkdtemp(prefix=self.prefix)
        self.launcher = os.path.join(self.folder, "launch")
        join = f'echo $$ > {self.cores.root}/{self.prefix}$host/cgroup.procs\n' if self.cores else ""
        with open(self.launcher, "w") as f:
            f.write('#!/bin/bash\nwhile [[ $1 == -* ]]; do shift; done\nhost=${1##*.}\nshift\n' + join +
                    f'exec ip netns exec {self.prefix}$host unshare --uts bash -c "hostname {self.prefix}$host; $*"\n')
        os.chmod(self.launcher, 0o755)

    # ---- used ----

    def counters(self, host):
        """Bytes out of the host and into it, as its interface counts them."""
        link = json.loads(run("ip", "-n", self.name(host), "-s", "-j", "link", "show", "eth0").stdout)[0]
        return link["stats64"]["tx"]["bytes"], link["stats64"]["rx"]["bytes"]

    def all_counters(self):
        """The same of every host at once, seen from the switch."""
        links = json.loads(run("ip", "-n", self.switch, "-s", "-j", "link").stdout)
        stats = {link["ifname"]: link["stats64"] for link in links}
        return [(stats[f"port{h}"]["rx"]["bytes"], stats[f"port{h}"]["tx"]["bytes"]) for h in range(1, self.count + 1)]

    def drops(self):
        """Packets lost in full buffers since the start, in hosts and in the switch."""
        links = [link for h in range(1, self.count + 1) for link in ((self.name(h), "eth0"), (self.switch, f"port{h}"))]
        return sum(queue.get("drops", 0) for space, device in links
                   for queue in json.loads(run("tc", "-n", space, "-s", "-j", "qdisc", "show", "dev", device).stdout))

    def start(self, host, command, **options):
        return self.start_in(self.name(host), command, **options)

    def start_in(self, namespace, command, **options):
        """Unlike ip netns exec, which mpiexec's children run under, nsenter leaves /sys/fs/cgroup in sight."""
        enter = ["nsenter", f"--net=/var/run/netns/{namespace}"]
        return subprocess.Popen([*enter, *command], start_new_session=True, **options)

    def watch(self, period, stop):
        """[(seconds, [(tx, rx)])] until the event `stop`: the shares of its rate that each host's link carried in each period."""
        shares, begin, full = [], time.monotonic(), bits_per_second(self.rate) / 8
        then, before = begin, self.all_counters()
        while not stop.wait(period):
            after, now = self.all_counters(), time.monotonic()
            shares.append((now - begin, [tuple((b - a) / (now - then) / full for a, b in zip(*pair))
                                         for pair in zip(before, after)]))
            then, before = now, after
        return shares

    def _kill(self):
        for h in [LAUNCHER, *range(1, self.count + 1)]:
            for pid in processes_in(self.name(h)):
                os.kill(pid, signal.SIGKILL)

    def _wait(self, process, timeout, grace):
        """Collects what the process prints. A run over the time is ended: status None. With `grace` it is also ended so many
        seconds after its first line: MPI_Finalize over TCP sometimes does not return, and the result is known by then."""
        lines, end = [], time.monotonic() + timeout
        if process.stdout:
            reader = threading.Thread(target=lambda: lines.extend(iter(process.stdout.readline, "")), daemon=True)
            reader.start()
        while process.poll() is None and time.monotonic() < end:
            if grace and lines:
                end, grace = min(end, time.monotonic() + grace), None
            time.sleep(0.02)
        status = process.poll()
        if status is None:
            self._kill()
            process.wait()
        if process.stdout:
            reader.join()
        return status, "".join(lines)

    def _mpi_words(self, per_host, ranks):
        """mpiexec's, and the environment's beside."""
        hosts = [self.address(h) for h in range(1, self.count + 1)]
        number = ["-n", str(ranks or self.count * per_host)]
        if is_open_mpi(self.mpiexec):
            slots = ",".join(f"{host}:{per_host}" for host in hosts)
            return ([*self.mpiexec, "--mca", "plm_rsh_agent", self.launcher, "--host", slots, *number],
                    {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                     "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_mpi_yield_when_idle": "1"})
        return ([*self.mpiexec, "-launcher", "ssh", "-launcher-exec", self.launcher, "-localhost", self.address(LAUNCHER),
                 "-hosts", ",".join(hosts), "-ppn", str(per_host), *number], {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0"})

    def mpi(self, command, timeout=600, capture=True, grace=None, per_host=1, ranks=None):
        """Runs the command with so many ranks on each host, or on the first hosts so many. What it prints is in the result if
        `capture`."""
        before = [self.counters(h) for h in range(1, self.count + 1)]
        words, settings = self._mpi_words(per_host, ranks)
        # Hosts share cores: a rank that binds itself to the first core of its host would have that of all others.
        variables = {"OMP_PROC_BIND": "false", **os.environ, **settings}
        begin = time.monotonic()
        process = self.start(LAUNCHER, [*words, *command], env=variables, stdin=subprocess.DEVNULL, text=True,
                             stdout=subprocess.PIPE if capture else None)
        status, stdout = self._wait(process, timeout, grace)
        seconds = time.monotonic() - begin
        moved = [[b - a for a, b in zip(was, self.counters(h + 1))] for h, was in enumerate(before)]
        return Result(status, stdout, [m[0] for m in moved], [m[1] for m in moved], seconds)
