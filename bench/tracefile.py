"""A trace of ompfact --trace, read and summed up: the tasks of each lane (a thread or device of a rank), waits, transfers.

The file is in the Trace Event Format of Chrome and Perfetto: "X" events are tasks, named by kernel, times in microseconds, pid
the rank, tid the thread; fetches (from asked for to arrived), publications and waits (the thread had no task that was ready) are
async pairs "b" and "e"; a transfer is a flow pair "s" and "f". A wait in which a remote tile arrived counts as one for remote
tiles.
"""
import json
import re
import sys
from bisect import bisect_left
from collections import defaultdict


def union(intervals):
    """The same times without overlap: a task may run inside another one that yields."""
    out = []
    for begin, end in sorted(i[:2] for i in intervals):
        if out and begin <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([begin, end])
    return out


def inside(intervals, begin, end):
    """How much of [begin, end] disjoint intervals cover."""
    return sum(max(0.0, min(b, end) - max(a, begin)) for a, b in intervals)


def gaps(busy, end):
    """What disjoint, ordered intervals leave of [0, end]."""
    out, last = [], 0.0
    for a, b in busy:
        if a > last:
            out.append([last, a])
        last = b
    return out + ([[last, end]] if end > last else [])


def common(one, other):
    """Length of what two lists of disjoint, ordered intervals share."""
    i = j = 0
    total = 0.0
    while i < len(one) and j < len(other):
        total += max(0.0, min(one[i][1], other[j][1]) - max(one[i][0], other[j][0]))
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return total


def async_pairs(events):
    """(category, pid, tid, begin, end) of each "b" with its "e": the one of the same process, category, id and name."""
    open_ones = defaultdict(list)
    for e in sorted(events, key=lambda e: e["ts"]):      # stable: ties as they stand in the file
        key = (e.get("pid"), e.get("cat"), e.get("id"), e.get("name"))
        if e["ph"] == "b":
            open_ones[key].append(e)
        elif open_ones[key]:
            b = open_ones[key].pop(0)
            yield e.get("cat"), b.get("pid"), b.get("tid"), b["ts"], e["ts"]


class Trace:
    """Times are seconds from the first task's begin. tasks, waits, remote_waits: lane -> list of (begin, end, ...); a lane is
    (pid, tid)."""

    def __init__(self, events):
        by_phase = defaultdict(list)
        for e in events:
            by_phase[e.get("ph")].append(e)
        self.origin = min((e["ts"] for e in by_phase["X"]), default=0)
        self.tasks = defaultdict(list)
        for e in by_phase["X"]:
            begin, end = self._time(e["ts"]), self._time(e["ts"] + e.get("dur", 0))
            self.tasks[e.get("pid", 0), e.get("tid", 0)].append((begin, end, e["name"], e.get("args") or {}))
        self.makespan = max((t[1] for lane in self.tasks.values() for t in lane), default=0.0)
        self.names, self.thread_names = {}, {}
        for e in by_phase["M"]:
            name = (e.get("args") or {}).get("name")
            if e.get("name") == "process_name" and name:
                self.names[e.get("pid", 0)] = name
            # a thread that never had a task is a lane, too; a row that only groups other events is none
            if e.get("name") == "thread_name" and re.search(r"thread|device", name or "", re.I):
                self.thread_names[e.get("pid", 0), e.get("tid", 0)] = name
                self.tasks[e.get("pid", 0), e.get("tid", 0)] += []
        self.lanes = sorted(self.tasks, key=lambda lane: [(0, v, "") if isinstance(v, int) else (1, 0, str(v)) for v in lane])
        self._async(by_phase["b"] + by_phase["e"])
        self.transfers = len(by_phase["s"])
        self._sums()

    def _time(self, ts):
        return (ts - self.origin) * 1e-6

    def _async(self, events):
        waits, remote_waits = {lane: [] for lane in self.lanes}, {lane: [] for lane in self.lanes}
        arrivals = defaultdict(list)                # rank: when its fetches ended
        self.spans = defaultdict(list)              # category: lengths
        pairs = list(async_pairs(events))
        for category, pid, _, begin, end in pairs:
            self.spans[category].append((end - begin) * 1e-6)
            if category == "fetch":
                arrivals[pid].append(end)           # in order, as the pairs are
        for category, pid, tid, begin, end in pairs:
            if category != "wait" or (pid, tid) not in waits:
                continue
            span = max(0.0, self._time(begin)), min(self.makespan, self._time(end))
            first = bisect_left(arrivals[pid], begin)
            if span[1] > span[0]:
                waits[pid, tid].append(span)
                if first < len(arrivals[pid]) and arrivals[pid][first] <= end:
                    remote_waits[pid, tid].append(span)
        self.waits = {lane: union(w) for lane, w in waits.items()}
        self.remote_waits = {lane: union(w) for lane, w in remote_waits.items()}

    def _sums(self):
        end = self.makespan
        self.busy = {lane: union(self.tasks[lane]) for lane in self.lanes}
        self.busy_time = {lane: inside(self.busy[lane], 0, end) for lane in self.lanes}
        idle = {lane: gaps(self.busy[lane], end) for lane in self.lanes}
        self.waiting = {lane: common(idle[lane], self.waits[lane]) for lane in self.lanes}
        self.waiting_remote = {lane: common(idle[lane], self.remote_waits[lane]) for lane in self.lanes}
        self.kernels = {}                           # kernel: tasks, updates, seconds
        for name, begin, finish, args in ((t[2], t[0], t[1], t[3]) for lane in self.tasks.values() for t in lane):
            n, updates, seconds = self.kernels.get(name, (0, 0, 0.0))
            self.kernels[name] = (n + 1, updates + args.get("updates", 1), seconds + finish - begin)

    def count(self):
        return sum(len(t) for t in self.tasks.values())

    def share(self, times):
        """A sum over the lanes as a share of all lanes' time."""
        return sum(times.values()) / (len(self.lanes) * self.makespan) if self.lanes and self.makespan > 0 else 0.0

    def idle_thirds(self):
        """Idle shares in the first, middle and last third."""
        third = self.makespan / 3
        return [1 - self.share({x: 3 * inside(self.busy[x], k * third, (k + 1) * third) for x in self.lanes}) for k in range(3)]

    def lane_name(self, lane):
        return f"{self.names.get(lane[0], f'rank {lane[0]}')}, {self.thread_names.get(lane, f'thread {lane[1]}')}"


def read(path):
    """The trace in a file; "-" is standard input. ValueError says what is wrong with it."""
    if path == "-":
        data = json.load(sys.stdin)
    else:
        with open(path, encoding="utf-8") as f:
            data = json.load(f)
    events = data.get("traceEvents") if isinstance(data, dict) else data
    if not isinstance(events, list):
        raise ValueError("no traceEvents: not a trace in Chrome's format")
    try:
        trace = Trace(events)
    except (KeyError, TypeError, AttributeError) as e:
        raise ValueError(f"an event lacks or mistypes {e}") from e
    if not trace.count():
        raise ValueError("no tasks (X events) in it")
    return trace
