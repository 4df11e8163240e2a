"""Hosts on one machine, all on one switch: each has a network, a host name, processes, /dev/shm and a boot id
of its own, so that MPI libraries find no memory that two of them share. Clock and file system are the machine's.

A host is a process that sleeps in namespaces of its own; what runs there is started by nsenter. Namespaces have
no names, the switch is in one too: nothing of the machine's network is touched, and all of it, whatever runs on
the hosts included, is gone when this process ends, however it ends. It needs root; `Obstacle` says what else. Network
namespaces alone would not do: UCX and Open MPI share memory where boot id and process namespace are common.
"""
import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import uuid

NETWORK = "10.213.78."
TOOLS = ("ip", "nsenter", "unshare", "hostname", "mount")

HOST = """
set -e
hostname %(name)s
mount -t proc proc /proc
mount -t tmpfs -o size=%(shared_mb)dm tmpfs /dev/shm
mount --bind %(names)s /etc/hosts
mount --bind %(boot)s /proc/sys/kernel/random/boot_id
ip link set lo up
echo ready
exec sleep infinity
"""

SWITCH = """
set -e
ip link add bridge type bridge
ip link set bridge up
echo ready
exec sleep infinity
"""

AGENT = """#!/usr/bin/env python3
# [OPTIONS] HOST COMMAND...: runs the command on that host, as ssh would
import json, os, socket, sys
words = sys.argv[1:]
while words[0].startswith("-"):
    del words[0]
server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
server.connect(%(socket)r)
request = json.dumps([words[0], " ".join(words[1:]), os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(server, [len(request).to_bytes(8, "little")], [0, 1, 2])
server.sendall(request)
answer = server.recv(1)
sys.exit(answer[0] if answer else 255)
"""


class Obstacle(Exception):
    """What stands in the way of hosts on this machine."""


def end_with_parent():
    """For the child of a fork: it is killed when its parent ends."""
    death_signal = 1  # PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(death_signal, signal.SIGKILL, 0, 0, 0)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Obstacle(f"{' '.join(command)}: {done.stderr.strip()}")


class Hosts:
    """node1, node2 ..., made by the constructor, which raises Obstacle where that cannot be, and removed by `stop`."""

    def __init__(self, count, shared_mb=256):
        self.names = [f"node{number}" for number in range(1, count + 1)]
        self.directory = tempfile.mkdtemp(prefix="andes-hosts-")
        self.parents, self.holders = [], {}
        try:
            self._make(shared_mb)
        except BaseException:
            self.stop()
            raise

    def _make(self, shared_mb):
        if os.geteuid() != 0:
            raise Obstacle("hosts of namespaces need root")
        for tool in TOOLS:
            if not shutil.which(tool):
                raise Obstacle(f"no {tool} here")
        names = os.path.join(self.directory, "hosts")
        with open(names, "w", encoding="utf-8") as file:
            file.write("127.0.0.1 localhost\n")
            file.writelines(f"{self.address(name)} {name}\n" for name in self.names)
        switch = self._hold(["--net"], SWITCH)
        for name in self.names:
            boot = os.path.join(self.directory, "boot-" + name)
            with open(boot, "w", encoding="utf-8") as file:
                file.write(f"{uuid.uuid4()}\n")
            holder = self._hold(["--net", "--uts", "--mount", "--ipc", "--pid"],
                                HOST % {"name": name, "shared_mb": shared_mb, "names": names, "boot": boot})
            self.holders[name] = holder
            port = "to-" + name
            run(["ip", "link", "add", "eth0", "netns", str(holder), "type", "veth", "peer", "name", port,
                 "netns", str(switch)])
            for words in (["link", "set", port, "master", "bridge"], ["link", "set", port, "up"]):
                run(["nsenter", "-t", str(switch), "-n", "ip", *words])
            for words in (["addr", "add", self.address(name) + "/24", "dev", "eth0"],
                          ["link", "set", "eth0", "up"]):
                run([*self.enter(name), "ip", *words])
        self._listen()

    def _listen(self):
        """Makes the agent, and serves it: from inside of a host no way leads to another one."""
        path = os.path.join(self.directory, "socket")
        self.agent = os.path.join(self.directory, "agent")
        with open(self.agent, "w", encoding="utf-8") as file:
            file.write(AGENT % {"socket": path})
        os.chmod(self.agent, 0o755)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(path)
        listener.listen()

        def listen():
            while True:
                threading.Thread(target=self._serve, args=listener.accept()[:1], daemon=True).start()
        threading.Thread(target=listen, daemon=True).start()

    def _serve(self, agent):
        """Runs what one agent asks for, on the agent's own input and outputs."""
        size_bytes = 8
        head, files, _, _ = socket.recv_fds(agent, size_bytes, 3)
        request = b""
        while len(request) < int.from_bytes(head, "little"):
            request += agent.recv(1 << 16)
        host, command, directory, environment = json.loads(request)
        by_address = {self.address(name): name for name in self.names}
        child = subprocess.Popen([*self.enter(by_address.get(host, host), directory), "sh", "-c", command],
                                 env=environment, stdin=files[0], stdout=files[1], stderr=files[2])
        for file in files:
            os.close(file)
        try:
            agent.sendall(bytes([child.wait() & 255]))
        except BrokenPipeError:
            pass  # the agent was killed before its command ended
        agent.close()

    def _hold(self, namespaces, script):
        """Starts a process that keeps new namespaces; its id, once it is ready."""
        parent = subprocess.Popen(["unshare", "--fork", "--kill-child", *namespaces, "sh", "-c", script],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, preexec_fn=end_with_parent)
        self.parents.append(parent)
        if parent.stdout.readline() != "ready\n":
            raise Obstacle(f"unshare {' '.join(namespaces)}: {parent.stderr.read().strip()}")
        with open(f"/proc/{parent.pid}/task/{parent.pid}/children", encoding="utf-8") as file:
            return int(file.read().split()[0])

    def address(self, name):
        return NETWORK + str(self.names.index(name) + 1)

    def enter(self, name, directory="/"):
        """Words that make a command run on that host."""
        return ["nsenter", "-t", str(self.holders[name]), "-n", "-u", "-m", "-i", "-p", f"--wd={directory}"]

    def files(self, name, path):
        """`path` of that host as this process sees it."""
        return f"/proc/{self.holders[name]}/root{path}"

    def shape(self, name, rate):
        """Slows down what this host sends: `rate` as tc writes it, such as 100mbit."""
        run([*self.enter(name), "tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", rate, "burst",
             "64kb", "latency", "1s"])

    def unshape(self, name):
        run([*self.enter(name), "tc", "qdisc", "del", "dev", "eth0", "root"])

    def run(self, command, cwd="/", **options):
        """A command on the first host."""
        return subprocess.run([*self.enter(self.names[0], cwd), *command], check=False, **options)

    def kill_all(self):
        """Ends whatever runs on the hosts, but not the hosts."""
        for name in self.names:
            subprocess.run([*self.enter(name), "sh", "-c", "kill -KILL -1"], check=False)

    def stop(self):
        for parent in self.parents:
            parent.kill()
            parent.communicate()
        shutil.rmtree(self.directory, ignore_errors=True)
