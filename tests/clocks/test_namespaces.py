"""Two nodes on one machine: network namespaces with a wire between them and host names of their own.
The launchers reach the second one by a script in the place of ssh; messages go by TCP. The clock is the
same in truth, which the monitor does not know: what it finds must be no offset, within its error.

Skipped, with the reason, where namespaces cannot be made (they need root)."""
import os
import shutil
import subprocess
import unittest

import clocks
from support.mpi import LIBRARY, MpiTest, each_mpi, launcher
from support.skipped import skip

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = [f"andes{os.getpid()}n{node}" for node in (1, 2)]
ADDRESSES = ["10.213.77.1", "10.213.77.2"]
WIRES = [f"an{os.getpid() % 100000}w{node}" for node in (1, 2)]

AGENT = """#!/bin/sh
# [OPTIONS] ADDRESS COMMAND...: runs the command on the node of the address, as ssh would
while [ "${1#-}" != "$1" ]; do shift; done
NODE=${1##*.}; shift
COMMAND="$*"
export NODE COMMAND
exec ip netns exec @PREFIX@$NODE unshare --uts sh -c 'hostname node$NODE; exec sh -c "$COMMAND"'
"""


def make_nodes():
    """Returns what stands in the way, or nothing."""
    for tool in ("ip", "unshare", "hostname"):
        if not shutil.which(tool):
            return f"no {tool} here"
    commands = [["ip", "netns", "add", name] for name in NAMES]
    commands.append(["ip", "link", "add", WIRES[0], "netns", NAMES[0], "type", "veth", "peer", "name",
                     WIRES[1], "netns", NAMES[1]])
    for name, address, wire in zip(NAMES, ADDRESSES, WIRES):
        commands += [["ip", "-n", name, "addr", "add", address + "/24", "dev", wire],
                     ["ip", "-n", name, "link", "set", wire, "up"],
                     ["ip", "-n", name, "link", "set", "lo", "up"]]
    commands.append(["ip", "netns", "exec", NAMES[0], "unshare", "--uts", "true"])
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return f"{' '.join(command)}: {done.stderr.strip()}"
    return ""


def remove_nodes():
    for name in NAMES:
        subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


class Namespaces(MpiTest):
    def launch(self, mpi, per_node, command):
        """Ranks fill the first node, then the second."""
        agent = self.write("agent", AGENT.replace("@PREFIX@", NAMES[0][:-1]))
        os.chmod(agent, 0o755)
        hosts = ",".join(f"{address}:{per_node}" for address in ADDRESSES)
        launch = [*launcher(mpi), "-n", str(2 * per_node)]
        if mpi == "openmpi":
            launch += ["--host", hosts, "--mca", "plm_rsh_agent", agent, "--mca", "pml", "ob1",
                       "--mca", "btl", "tcp,self"]
        else:
            launch += ["-hosts", hosts, "-launcher", "ssh", "-launcher-exec", agent, "-iface",
                       WIRES[0]]
        launch += ["env", f"LD_PRELOAD={LIBRARY}", *command]
        done = subprocess.run(
            ["ip", "netns", "exec", NAMES[0], "unshare", "--uts", "sh", "-c",
             'hostname node1; exec "$@"', "sh", *launch],
            capture_output=True, text=True, timeout=600, cwd=self.folder, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return clocks.ranks_of(done.stderr)

    @each_mpi
    def test_one_rank_on_each(self, mpi):
        program = self.compile(mpi, os.path.join(HERE, "sleep.c"))
        clocks.check_offsets(self, self.launch(mpi, 1, [program, "0.5"]), [0, 1])

    @each_mpi
    def test_two_ranks_on_each(self, mpi):
        program = self.compile(mpi, os.path.join(HERE, "sleep.c"))
        clocks.check_offsets(self, self.launch(mpi, 2, [program, "0.5"]), [0, 0, 1, 1])


if __name__ == "__main__":
    OBSTACLE = make_nodes()
    if OBSTACLE:
        remove_nodes()
        skip(OBSTACLE)
    try:
        unittest.main()
    finally:
        remove_nodes()
