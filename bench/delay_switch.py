"""usage: delay_switch.py MILLISECONDS PORT... -- PORT...

A switch in the place of a bridge, for kernels without netem: passes frames on between network interfaces, those that come in by the
first ports so much later, those of the others at once. Needs root. Says "ready" when it works, and ends when it is ended.
"""
import collections
import os
import select
import socket
import sys
import time

# Of linux/if_ether.h, asm-generic/socket.h and linux/if_packet.h; not in Python's socket.
ALL_PROTOCOLS = 0x0003
SO_SNDBUFFORCE, SO_RCVBUFFORCE = 32, 33
SOL_PACKET, PACKET_VNET_HDR, PACKET_IGNORE_OUTGOING = 263, 15, 23
HEADER = 10                     # bytes before a frame that say what its checksum lacks, which the receiver is to be told
BUFFER = 8 << 20
AT_ONCE = 64                    # frames from one port before the others' turn


def open_port(name):
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    port.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    port.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    for buffer in SO_RCVBUFFORCE, SO_SNDBUFFORCE:
        port.setsockopt(socket.SOL_SOCKET, buffer, BUFFER)
    port.bind((name, ALL_PROTOCOLS))
    port.setblocking(False)
    return port


class Switch:
    def __init__(self, delay, slow, fast):
        self.delay = {**{p: delay for p in slow}, **{p: 0 for p in fast}}
        self.where = {}                             # address of an interface -> its port
        self.under_way = collections.deque()        # (when it is due, port it came by, frame), in that order

    def take(self, port):
        """What has come in. Of ports without a delay it goes on at once."""
        for _ in range(AT_ONCE):
            try:
                frame = port.recv(1 << 17)
            except BlockingIOError:
                return
            self.where[frame[HEADER + 6:HEADER + 12]] = port
            if self.delay[port]:
                self.under_way.append((time.monotonic() + self.delay[port], port, frame))
            else:
                self.pass_on(port, frame)

    def pass_on(self, source, frame):
        known = self.where.get(frame[HEADER:HEADER + 6])
        for port in [known] if known else self.delay:
            if port is not source:
                try:
                    port.send(frame)
                except OSError:         # its queue is full, which loses the frame as in any switch
                    pass

    def run(self):
        while True:
            wait = max(0, self.under_way[0][0] - time.monotonic()) if self.under_way else None
            for port in select.select(list(self.delay), [], [], wait)[0]:
                self.take(port)
            while self.under_way and self.under_way[0][0] <= time.monotonic():
                _, port, frame = self.under_way.popleft()
                self.pass_on(port, frame)


def main():
    slow, fast = sys.argv[2:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
    switch = Switch(float(sys.argv[1]) / 1e3, [open_port(p) for p in slow], [open_port(p) for p in fast])
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))      # frames do not wait for those who compute
    print("ready", flush=True)
    switch.run()


if __name__ == "__main__":
    main()
