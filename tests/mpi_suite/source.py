"""MPI's own test suite: directory test/mpi of Debian's source package of MPICH, fetched once into a folder by an apt
configuration of its own, so that nothing of the machine's is changed."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile

PACKAGE = "mpich"
INSTALLED = "libmpich-dev"


def refuse(text):
    print("andes: setup: mpi-suite: %s" % text, file=sys.stderr)
    sys.exit(2)


def ask(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def mirror():
    """(address, suite, component) that apt takes MPICH from."""
    found = re.search(r"^ +\d+ (https?://\S+) ([^/\s]+)/(\S+) \S+ Packages", ask("apt-cache", "policy", INSTALLED),
                      re.MULTILINE)
    if not found:
        refuse("apt names no mirror for %s; run apt-get update, or lay MPICH's source tree into build/mpi-suite/source"
               % INSTALLED)
    return found[1], found[2], found[3]


def fetch(folder):
    """Downloads the archive of the version that is installed."""
    version = ask("dpkg-query", "-W", "-f", "${source:Version}", INSTALLED)
    for part in ("state/lists/partial", "cache/archives/partial", "etc/sources.list.d"):
        os.makedirs(os.path.join(folder, "apt", part), exist_ok=True)
    here = os.path.join(folder, "apt")
    with open(os.path.join(here, "etc/sources.list"), "w", encoding="utf-8") as file:
        file.write("deb-src %s %s %s\n" % mirror())
    options = ["-o", "Dir::State=%s/state" % here, "-o", "Dir::State::Lists=%s/state/lists" % here,
               "-o", "Dir::Cache=%s/cache" % here, "-o", "Dir::Etc::SourceList=%s/etc/sources.list" % here,
               "-o", "Dir::Etc::SourceParts=%s/etc/sources.list.d" % here, "-o", "Debug::NoLocking=1",
               "-o", "APT::Sandbox::User="]
    for task in (["update"], ["source", "--download-only", "%s=%s" % (PACKAGE, version)]):
        done = subprocess.run(["apt-get", "-q", *options, *task], cwd=here, capture_output=True, text=True)
        if done.returncode != 0:
            said = done.stderr.strip().splitlines() or ["it says nothing"]
            refuse("apt-get %s failed: %s; check the network" % (task[0], said[-1]))
    archive, = glob.glob(os.path.join(here, PACKAGE + "_*.orig.tar.*"))
    return archive


def unpacked(folder):
    """The directory of the suite's sources, fetched if they are not there."""
    place = os.path.join(folder, "source")
    if not os.path.isdir(place):
        archive = fetch(folder)
        unfinished = place + ".new"
        shutil.rmtree(unfinished, ignore_errors=True)
        with tarfile.open(archive) as tar:
            tar.extractall(unfinished, [member for member in tar.getmembers() if "/test/mpi/" in member.name])
        os.rename(unfinished, place)
    top = glob.glob(os.path.join(place, "*", "test", "mpi"))
    if len(top) != 1:
        refuse("%s: not one source tree of MPICH with test/mpi; remove it and it is fetched anew" % place)
    return top[0]
