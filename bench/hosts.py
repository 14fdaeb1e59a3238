"""Several hosts on one machine: network namespaces on a bridge, with a limit of the rate in both directions and an optional delay. Needs
Linux, root and iproute2.

    with Hosts(7, "200mbit") as hosts:
        result = hosts.mpi(["build/ompfact", "--json", "-"], timeout=60)    # one rank a host
        print(result.stdout, result.tx, result.rx)                          # bytes that each host has sent and received

mpiexec runs in a namespace of its own without a limit. The end of the with statement removes the namespaces, also after a signal. The
next start removes the namespaces of a killed process.
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
    """This machine cannot make hosts; the text is the reason."""


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
    """Cores of the hosts on a command line: 0.5 for each host, or 0.5,0.5,0.25 for the single hosts."""
    return [float(word) for word in text.split(",")]


def run(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, **options)


def processes_in(namespace):
    return [int(pid) for pid in run("ip", "netns", "pids", namespace).stdout.split()]


def remove(prefix):
    """Ends the processes in the namespaces with that prefix, and deletes the namespaces."""
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
    """The folder for control groups of cores: version 1, or 2."""
    old, new = "/sys/fs/cgroup/cpu", "/sys/fs/cgroup"
    return old if os.path.exists(f"{old}/cgroup.procs") else new


def remove_folder(folder):
    try:
        os.rmdir(folder)
    except OSError:
        pass


def remove_stale():
    """Removes the namespaces, control groups and launchers of processes that have ended."""
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


def check_requirements():
    if os.geteuid() != 0:
        raise Unavailable("network namespaces need root")
    for tool in ("ip", "tc", "nsenter"):
        if not shutil.which(tool):
            raise Unavailable(f"{tool} is not installed (packages iproute2 and util-linux)")


def launcher_words(mpiexec):
    """A launcher and its options except --host."""
    words = mpiexec.split()
    while "--host" in words:
        at = words.index("--host")
        del words[at:at + 2]
    return words


def is_open_mpi(mpiexec):
    return "HYDRA" not in run(mpiexec[0], "--version").stdout.upper()


class Cores:
    """Gives each host, or rank, its share of the machine's cores by quotas of the control groups PREFIX1, PREFIX2, ..."""
    PERIOD = 10000      # microseconds; with the default a rank would stall for up to 100 ms

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
            raise Unavailable(f"control groups cannot distribute the cores: {error}")

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
            raise ValueError(f"the number of hosts is from 1 to {LAUNCHER - 1}")
        if self.shares and len(self.shares) != count:
            raise ValueError(f"cores are given for {len(self.shares)} hosts, but there are {count}")
        bits_per_second(rate)

    def name(self, host):
        return f"{self.prefix}{host}"

    def address(self, host):
        return f"{SUBNET}.{host}"

    # ---- creation and removal ----

    def __enter__(self):
        check_requirements()
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
            signal.signal(number, signal.SIG_IGN)       # no signal interrupts the removal
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
            raise Unavailable(f"{tool}: {(result.stderr.strip().splitlines() or ['failed'])[0]}")

    def _build(self):
        self.switch = f"{self.prefix}switch"
        hosts = [*range(1, self.count + 1), LAUNCHER]
        for name in [self.switch, *map(self.name, hosts)]:
            made = run("ip", "netns", "add", name)
            if made.returncode:
                raise Unavailable(f"this machine has no network namespaces: {made.stderr.strip()}")
        ports = ["link add bridge type bridge forward_delay 0", f"link set bridge mtu {self.mtu} up"]
        for h in hosts:
            ports += [f"link add port{h} mtu {self.mtu} type veth peer name eth0 mtu {self.mtu} netns {self.name(h)}",
                      f"link set port{h} master bridge up"]
        self._batch("ip", self.switch, ports)
        for h in hosts:
            self._batch("ip", self.name(h), ["link set lo up", f"address add {self.address(h)}/24 dev eth0",
                                             # one frame a packet, so that the counters include every header
                                             "link set eth0 gso_max_segs 1 up"])
            # by the route, because not every namespace may set its sysctl
            self._batch("ip", self.name(h), [f"route replace {SUBNET}.0/24 dev eth0 congctl {self.congestion}"])
        for h in range(1, self.count + 1):
            self._limit(h)
        if self.shares:
            self.cores = Cores(self.prefix, self.shares)
        self._write_launcher()

    def _limit(self, h):
        """Limits the rate out of the host, and out of the switch's port to the host. The burst of three frames has no visible effect."""
        limit = max(10 * self.mtu, int(bits_per_second(self.rate) / 8 * self.buffer / 1e3))
        tbf = f"tbf rate {self.rate} burst {3 * (self.mtu + 14)} limit {limit}"
        self._batch("tc", self.switch, [f"qdisc add dev port{h} root handle 1: {tbf}"])
        if self.delay and not self.relayed and self._delay_by_netem(h, limit):
            return
        self._batch("tc", self.name(h), [f"qdisc add dev eth0 root handle 1: {tbf}"])
        if self.delay and not self.relayed:
            self._delay_by_relay()

    def _delay_by_netem(self, h, limit):
        """Packets leave at the rate and arrive after the delay. False: this kernel has no netem."""
        try:
            self._batch("tc", self.name(h), [f"qdisc add dev eth0 root handle 1: netem delay {self.delay}ms rate {self.rate} "
                                             f"limit {max(1000, limit // self.mtu)}"])
        except Unavailable:
            return False
        return True

    def _delay_by_relay(self):
        """A program replaces the bridge; it ends with its namespace."""
        ports = [f"port{h}" for h in range(1, self.count + 1)]
        self._batch("ip", self.switch, [f"link set {port} nomaster" for port in [*ports, f"port{LAUNCHER}"]])
        relay = self.start_in(self.switch, [sys.executable, os.path.join(HERE, "delay_switch.py"), str(self.delay), *ports, "--",
                                            f"port{LAUNCHER}"], stdout=subprocess.PIPE, text=True)
        if relay.stdout.readline() != "ready\n":
            raise Unavailable("a delay needs the kernel's netem, or packet sockets for delay_switch.py")
        self.relayed = True

    def _write_launcher(self):
        """Writes the script that a launcher calls instead of ssh. The script drops ssh's options and runs the command in the namespace of
        that address, under a host name of its own."""
        self.folder = tempfile.mkdtemp(prefix=self.prefix)
        self.launcher = os.path.join(self.folder, "launch")
        join = f'echo $$ > {self.cores.root}/{self.prefix}$host/cgroup.procs\n' if self.cores else ""
        with open(self.launcher, "w") as f:
            f.write('#!/bin/bash\nwhile [[ $1 == -* ]]; do shift; done\nhost=${1##*.}\nshift\n' + join +
                    f'exec ip netns exec {self.prefix}$host unshare --uts bash -c "hostname {self.prefix}$host; $*"\n')
        os.chmod(self.launcher, 0o755)

    # ---- use ----

    def counters(self, host):
        """The bytes that the host has sent and received, from the counters of its interface."""
        link = json.loads(run("ip", "-n", self.name(host), "-s", "-j", "link", "show", "eth0").stdout)[0]
        return link["stats64"]["tx"]["bytes"], link["stats64"]["rx"]["bytes"]

    def all_counters(self):
        """The bytes that every host has sent and received, from the counters of the switch."""
        links = json.loads(run("ip", "-n", self.switch, "-s", "-j", "link").stdout)
        stats = {link["ifname"]: link["stats64"] for link in links}
        return [(stats[f"port{h}"]["rx"]["bytes"], stats[f"port{h}"]["tx"]["bytes"]) for h in range(1, self.count + 1)]

    def drops(self):
        """Packets that hosts and the switch have lost in full buffers since the start."""
        links = [link for h in range(1, self.count + 1) for link in ((self.name(h), "eth0"), (self.switch, f"port{h}"))]
        return sum(queue.get("drops", 0) for space, device in links
                   for queue in json.loads(run("tc", "-n", space, "-s", "-j", "qdisc", "show", "dev", device).stdout))

    def start(self, host, command, **options):
        return self.start_in(self.name(host), command, **options)

    def start_in(self, namespace, command, **options):
        """nsenter, unlike ip netns exec, which starts the children of mpiexec, keeps /sys/fs/cgroup visible."""
        enter = ["nsenter", f"--net=/var/run/netns/{namespace}"]
        return subprocess.Popen([*enter, *command], start_new_session=True, **options)

    def watch(self, period, stop):
        """[(seconds, [(tx, rx)])] until the event `stop`: the shares of the rate that the link of each host carried in each period."""
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
        """Collects the output of the process, and ends it after the timeout: status None. With `grace` the process also ends that many
        seconds after its first line: MPI_Finalize over TCP sometimes does not return, but the result is complete."""
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
        """The launcher's words, and changes to the environment."""
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
        """Runs the command with per_host ranks on each host, or with `ranks` ranks on the first hosts. With `capture` the result has its
        output."""
        before = [self.counters(h) for h in range(1, self.count + 1)]
        words, settings = self._mpi_words(per_host, ranks)
        # Hosts share cores: ranks that bind themselves to the first core of their host would all be on the same core.
        variables = {"OMP_PROC_BIND": "false", **os.environ, **settings}
        begin = time.monotonic()
        process = self.start(LAUNCHER, [*words, *command], env=variables, stdin=subprocess.DEVNULL, text=True,
                             stdout=subprocess.PIPE if capture else None)
        status, stdout = self._wait(process, timeout, grace)
        seconds = time.monotonic() - begin
        moved = [[b - a for a, b in zip(was, self.counters(h + 1))] for h, was in enumerate(before)]
        return Result(status, stdout, [m[0] for m in moved], [m[1] for m in moved], seconds)
