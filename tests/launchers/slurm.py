"""A Slurm cluster of a few nodes on this machine, for the time that somebody needs it.

    python3 slurm.py [--nodes N] COMMAND...     start it, run the command on its first node, stop it

Each node is a host of hosts.py; munged, slurmctld and one slurmd a node run as root from a directory of their
own, with ports, keys and logs there: a Slurm that this machine has already is not touched. No control groups, no
accounting. Nodes have more processors than the machine, so that jobs are never kept waiting for them.
"""
import argparse
import os
import shutil
import subprocess
import sys
import time

import hosts

DAEMONS = ("munged", "slurmctld", "slurmd")
START_S = 60    # longest wait for all nodes to be idle
PROCESSORS = 8  # of each node

CONFIGURATION = """
ClusterName=andes
SlurmctldHost=node1({address})
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={directory}/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait={kill_wait_s}
MailProg=/bin/true
SlurmctldPidFile={directory}/slurmctld.pid
SlurmdPidFile={directory}/slurmd.%n.pid
StateSaveLocation={directory}/state
SlurmdSpoolDir={directory}/spool.%n
SlurmctldLogFile={directory}/slurmctld.log
SlurmdLogFile={directory}/slurmd.%n.log
NodeName=node[1-{nodes}] NodeAddr={network}[1-{nodes}] CPUs={processors} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Cluster:
    """Started by its constructor, which raises hosts.Obstacle where that cannot be; `stop` ends it."""

    def __init__(self, nodes=2, kill_wait_s=60):
        for daemon in DAEMONS:
            if not shutil.which(daemon):
                raise hosts.Obstacle(f"no {daemon} here")
        self.hosts = hosts.Hosts(nodes)
        self.daemons = []
        # Not a directory that others can write to: munged insists.
        self.directory = os.path.join("/run", os.path.basename(self.hosts.directory))
        try:
            self._start(kill_wait_s)
        except BaseException:
            self.stop()
            raise

    def _start(self, kill_wait_s):
        os.makedirs(self.directory, mode=0o755)
        for name in ("state", "key", *(f"spool.{name}" for name in self.hosts.names)):
            os.mkdir(os.path.join(self.directory, name), mode=0o700)
        self.configuration = os.path.join(self.directory, "slurm.conf")
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(
                directory=self.directory, address=self.hosts.address("node1"), network=hosts.NETWORK,
                nodes=len(self.hosts.names), processors=PROCESSORS, kill_wait_s=kill_wait_s))
        # PMIx keeps files of each node: where the nodes share nothing.
        with open(os.path.join(self.directory, "mpi.conf"), "w", encoding="utf-8") as file:
            file.write("PMIxCliTmpDirBase=/dev/shm\n")
        key = os.path.join(self.directory, "key", "munge.key")
        with open(key, "wb") as file:
            file.write(os.urandom(128))
        os.chmod(key, 0o600)
        # munged wants its own files in directories of its own; --force takes root for its user.
        self._daemon("node1", ["munged", "--foreground", "--force", f"--key-file={key}",
                               f"--socket={self.directory}/munge.socket",
                               f"--pid-file={self.directory}/munged.pid",
                               f"--seed-file={self.directory}/munged.seed",
                               f"--log-file={self.directory}/munged.log"], "munged")
        self._wait_for(lambda: os.path.exists(f"{self.directory}/munge.socket"), "munged")
        self._daemon("node1", ["slurmctld", "-D", "-i", "-f", self.configuration], "slurmctld")
        for name in self.hosts.names:
            self._daemon(name, ["slurmd", "-D", "-f", self.configuration], f"slurmd.{name}")
        self._wait_for(self._idle, "slurmctld")

    def _daemon(self, host, command, log):
        with open(os.path.join(self.directory, log + ".out"), "wb") as out:
            self.daemons.append(subprocess.Popen([*self.hosts.enter(host), *command], env=self.environment(),
                                                 stdin=subprocess.DEVNULL, stdout=out, stderr=out))

    def _idle(self):
        done = self.run(["sinfo", "-h", "-N", "-o", "%t"], capture_output=True, text=True)
        return done.stdout.split() == ["idle"] * len(self.hosts.names)

    def _wait_for(self, condition, log):
        end = time.monotonic() + START_S
        while not condition():
            ended = [d for d in self.daemons if d.poll() is not None]
            if ended or time.monotonic() > end:
                raise hosts.Obstacle(f"Slurm does not start: {self.log_of(log)}")
            time.sleep(0.1)

    def log_of(self, name):
        """The end of what a daemon has said."""
        text = ""
        for kind in (".out", ".log"):
            path = os.path.join(self.directory, name + kind)
            if os.path.exists(path):
                with open(path, encoding="utf-8", errors="replace") as file:
                    text += file.read()
        return " / ".join(text.splitlines()[-3:]) or f"{name} says nothing"

    def environment(self, base=None, **more):
        """`base` (this process's) as commands of this cluster need it."""
        return {**(base or os.environ), "SLURM_CONF": self.configuration, **more}

    def run(self, command, env=None, cwd=None, **options):
        """A command on the first node."""
        return self.hosts.run(command, cwd=cwd or os.getcwd(), env=self.environment(env), **options)

    def stop(self):
        self.hosts.stop()  # and with them all that runs there
        for daemon in self.daemons:
            daemon.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.command:
        parser.error("no command")
    try:
        cluster = Cluster(options.nodes)
    except hosts.Obstacle as obstacle:
        print("skipped:", obstacle, file=sys.stderr)
        return 77
    try:
        return cluster.run(options.command).returncode
    finally:
        cluster.stop()


if __name__ == "__main__":
    sys.exit(main())
