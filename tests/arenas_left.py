"""The last test of a suite: no test has left an arena behind. Those that leave some on purpose have the setting
`arena` name a directory of their own. Says which job is left, and removes it, so that the next suite is not blamed.
Usage: arenas_left.py DIRECTORY."""
import os
import shutil
import subprocess
import sys

from support.build import ANDES

directory, = sys.argv[1:]
left = sorted(os.path.join(directory, name) for name in os.listdir(directory)) if os.path.isdir(directory) else []
if left:
    subprocess.run([ANDES, "recover"], env=dict(os.environ, ANDES_ARENA=directory), check=False)
for job in left:
    print(f"{job}: left by a test: {', '.join(sorted(os.listdir(job)))}")
    shutil.rmtree(job)
sys.exit(1 if left else 0)
