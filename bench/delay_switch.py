"""usage: delay_switch.py MILLISECONDS PORT... -- PORT...

A switch that replaces a bridge, for kernels without netem. It forwards frames between network interfaces: frames from the first ports
after the delay, frames from the other ports at once. It needs root, prints "ready" when it works, and runs until a signal ends it.
bench/hosts.py starts it.
"""
import collections
import os
import select
import socket
import sys
import time

# Constants of linux/if_ether.h, asm-generic/socket.h and linux/if_packet.h that Python's socket lacks.
ALL_PROTOCOLS = 0x0003
SO_SNDBUFFORCE, SO_RCVBUFFORCE = 32, 33
SOL_PACKET, PACKET_VNET_HDR, PACKET_IGNORE_OUTGOING = 263, 15, 23
HEADER = 10                     # bytes before a frame that describe its incomplete checksum; the receiver needs them
BUFFER = 8 << 20
AT_ONCE = 64                    # frames from one port before the next port's turn


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
        self.in_flight = collections.deque()        # (time of delivery, source port, frame), by time

    def take(self, port):
        """Receives frames of a port, and forwards them at once if the port has no delay."""
        for _ in range(AT_ONCE):
            try:
                frame = port.recv(1 << 17)
            except BlockingIOError:
                return
            self.where[frame[HEADER + 6:HEADER + 12]] = port
            if self.delay[port]:
                self.in_flight.append((time.monotonic() + self.delay[port], port, frame))
            else:
                self.forward(port, frame)

    def forward(self, source, frame):
        known = self.where.get(frame[HEADER:HEADER + 6])
        for port in [known] if known else self.delay:
            if port is not source:
                try:
                    port.send(frame)
                except OSError:         # the queue is full: the frame is lost, as in any switch
                    pass

    def run(self):
        while True:
            wait = max(0, self.in_flight[0][0] - time.monotonic()) if self.in_flight else None
            for port in select.select(list(self.delay), [], [], wait)[0]:
                self.take(port)
            while self.in_flight and self.in_flight[0][0] <= time.monotonic():
                _, port, frame = self.in_flight.popleft()
                self.forward(port, frame)


def main():
    if "--" not in sys.argv or len(sys.argv) < 4:
        sys.exit(__doc__.split("\n")[0])
    slow, fast = sys.argv[2:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
    switch = Switch(float(sys.argv[1]) / 1e3, [open_port(p) for p in slow], [open_port(p) for p in fast])
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))      # frames do not wait for computing threads
    print("ready", flush=True)
    switch.run()


if __name__ == "__main__":
    main()
