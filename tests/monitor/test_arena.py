"""What a process leaves in its arena, however it ends, and that the program never notices.
Usage: test_arena.py ENDINGS PRINT_ARENA LIBANDES [unittest arguments]. KILLS: how often to kill at a random instant."""
import glob
import mmap
import os
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import time
import unittest

from support.environment import WITH_OWN_MOUNTS, without_settings
from support.folder import InFolder
from support.waiting import wait_until

ENDINGS, PRINT, LIBANDES = (os.path.abspath(path) for path in sys.argv[1:4])
KILLS = int(os.environ.get("KILLS", "200"))
RUNNING, EXIT, SIGNAL, ABORT, ERROR, FINALIZING, WRITTEN, GIVEN_UP = range(8)
THREADS = 8
DIRECTORY = f"andes-{os.geteuid()}-job"


class Told:
    """What print_arena tells of a file."""

    def __init__(self, path, wait_ms=0):
        self.lines = subprocess.run([PRINT, path, str(wait_ms)], text=True, capture_output=True,
                                    timeout=600).stdout.splitlines()
        self.visits = {}
        for line in self.lines:
            word, _, rest = line.partition(" ")
            if word == "ending":
                self.ending = tuple(int(number) for number in rest.split())
            elif word in ("snapshots", "lost"):
                setattr(self, word, int(rest))
            elif word == "lived_ms":
                self.lived_s = 1e-3 * float(rest)
            elif word == "visits":
                path, _, count = rest.rpartition(" ")
                path = path.removeprefix("(program)/")
                self.visits[path] = self.visits.get(path, 0) + int(count)

    def visits_of_functions(self):
        return sum(count for path, count in self.visits.items()
                   if re.search(r"(^|/)(f\d\d|\(more call paths\))$", path))


class ArenaTest(InFolder):
    def setUp(self):
        super().setUp()
        self.place, self.out = self.folder, self.path("run.andes")
        self.counters = os.path.join(self.place, "counters")

    def environment(self, variables):
        with open(self.counters, "wb") as file:
            file.write(bytes(16 * THREADS))
        # Exact counts: no function is closed.
        return {**without_settings(), "LD_PRELOAD": LIBANDES, "ANDES_OUT": self.out, "ANDES_JOB": "job", "ANDES_ARENA": self.place,
                "ANDES_WINDOWS": "off", "ENDINGS_COUNTERS": self.counters, **variables}

    def command(self, arguments, chosen):
        return ["/bin/sh", "-c", 'ANDES_PID=$$ exec "$@"' if chosen else 'exec "$@"', "sh", ENDINGS, *arguments]

    def run_endings(self, *arguments, chosen=True, prepare=None, **variables):
        environment = self.environment(variables)
        return subprocess.run(self.command(arguments, chosen), text=True, env=environment, capture_output=True,
                              timeout=600, preexec_fn=prepare)

    def counted(self):
        with open(self.counters, "rb") as file:
            numbers = struct.unpack(f"{2 * THREADS}Q", file.read())
        return sum(numbers[:THREADS]), sum(numbers[THREADS:])

    def arenas(self, place=None):
        return glob.glob(os.path.join(place or self.place, DIRECTORY, "*.arena"))

    def told(self):
        (path,) = self.arenas()
        return Told(path)


class Ends(ArenaTest):
    def test_a_run_file_written_leaves_nothing(self):
        result = self.run_endings("work", "1000")
        self.assertEqual((result.returncode, result.stderr), (3, ""))
        self.assertEqual(sorted(os.listdir(self.place)), ["counters", "run.andes"])

    def test_a_process_that_was_not_chosen_leaves_nothing(self):
        self.assertEqual(self.run_endings("work", "1000", chosen=False).returncode, 3)
        self.assertEqual(os.listdir(self.place), ["counters"])

    def test_a_run_file_that_cannot_be_written_leaves_the_arena_and_says_so(self):
        self.out = "/proc/no/run.andes"
        result = self.run_endings("work", "1000")
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stderr, r"\Aandes: /proc/no/run.andes: not written: .*; andes run tries to recover the run\n\Z")
        told = self.told()
        self.assertEqual((told.ending, told.visits["main/f00"], told.lost), ((GIVEN_UP, 0), 1000, 0))

    def test_killed_at_any_instant_it_holds_every_visit_that_had_begun(self):
        environment = self.environment({})
        for number in range(KILLS):
            threads = 1 + number % 3
            with open(self.counters, "r+b") as file:
                shared = mmap.mmap(file.fileno(), 16 * THREADS)
                shared[:] = bytes(16 * THREADS)
                with subprocess.Popen(self.command(["wander", str(threads)], True), env=environment) as process:
                    wait_until(lambda: any(shared[8 * THREADS:]), 60, pause_s=0.0005)
                    time.sleep(random.random() * 0.01)
                    process.kill()
                shared.close()
            told = self.told()
            self.assertFalse([line for line in told.lines if line.startswith(("refused", "negative"))],
                             told.lines[:5])
            self.assertEqual((told.ending, told.lost), ((RUNNING, 0), 0))
            asked, begun = self.counted()
            self.assertLessEqual(begun, told.visits_of_functions())
            self.assertLessEqual(told.visits_of_functions(), asked)
            os.unlink(self.arenas()[0])

    def test_one_that_runs_on_is_told_as_of_when_it_was_read(self):
        # Else what came after the reading would be counted for the visits that were open then.
        wait_s = 2
        started_s = time.monotonic()
        with subprocess.Popen(self.command(["wander", "1"], True), env=self.environment({})) as process:
            wait_until(lambda: self.counted()[1], 60, pause_s=0.01)
            asked_s = time.monotonic()
            told = Told(self.arenas()[0], wait_ms=1000 * wait_s)
            told_s = time.monotonic()
            process.kill()
        self.assertLess(told.lived_s, told_s - started_s - wait_s)
        self.assertGreater(told_s - asked_s, wait_s)
        self.assertGreater(told.lived_s, 0)

    def test_signals_that_end_it_are_stamped_and_end_it_as_ever(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU, signal.SIGQUIT, signal.SIGABRT,
                       signal.SIGFPE, signal.SIGILL, signal.SIGBUS, signal.SIGSEGV):
            with self.subTest(signal=number):
                # What a shell puts into the background ignores some of them.
                result = self.run_endings("signal", str(int(number)),
                                          prepare=lambda number=number: signal.signal(number, signal.SIG_DFL))
                self.assertEqual((result.returncode, result.stdout, result.stderr), (-number, "", ""))
                told = self.told()
                self.assertEqual((told.ending, told.visits["main/f00"]), ((SIGNAL, number), 1))
                os.unlink(self.arenas()[0])

    def test_a_fault_keeps_its_address_for_the_programs_own_handler(self):
        self.assertEqual(self.run_endings("fault", "4660").returncode, -signal.SIGSEGV)
        self.assertEqual(self.told().ending, (SIGNAL, signal.SIGSEGV))
        os.unlink(self.arenas()[0])
        result = self.run_endings("fault", "4660", ENDINGS_BEFORE="fault")
        self.assertEqual((result.returncode, result.stdout), (5, "fault 11 at 0x1234\n"))

    def test_a_handler_of_the_program_is_called_as_ever_and_it_lives_on(self):
        result = self.run_endings("signal", "15", ENDINGS_BEFORE="handle")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (3, "handled 15\n", ""))
        self.assertTrue(os.path.exists(self.out))

    def test_ignored_signals_stay_ignored(self):
        self.assertEqual(self.run_endings("signal", "15", ENDINGS_BEFORE="ignore").returncode, 3)
        self.assertTrue(os.path.exists(self.out))

    def test_a_signal_stamps_snapshots_where_it_is_set(self):
        self.out = "/proc/no/run.andes"
        self.assertEqual(self.run_endings("signal", "10", ANDES_SNAPSHOT_SIGNAL="USR1").returncode, 3)
        self.assertEqual(self.told().snapshots, 1)
        os.unlink(self.arenas()[0])
        result = self.run_endings("signal", "10", ANDES_SNAPSHOT_SIGNAL="USR1", ENDINGS_BEFORE="handle")
        self.assertEqual((result.returncode, result.stdout, self.told().snapshots), (3, "handled 10\n", 1))

    def test_children_change_nothing_of_their_parent_and_leave_nothing(self):
        result = self.run_endings("children", "0")
        self.assertEqual(result.returncode, -signal.SIGKILL)
        told = self.told() # one arena: none of the children's
        self.assertEqual((told.ending, told.visits["main/f01"], told.lost), ((RUNNING, 0), 3, 0))
        self.assertNotIn("main/f01/f01", told.visits)

    def test_forks_beside_busy_threads(self):
        self.assertEqual(self.run_endings("forks", "30").returncode, -signal.SIGKILL)
        told = self.told()
        self.assertEqual(told.visits["main/f01"], 1 + 30)
        self.assertEqual({path for path in told.visits if path.startswith("main/")}, {"main/f01"})

    def test_without_a_file_what_cannot_be_gathered_is_written_beside_the_run_file(self):
        with open(os.path.join(self.place, "endings"), "w", encoding="utf-8"):
            pass # where a directory would have to be
        self.out = os.path.join(self.place, "%x", "run.andes")
        result = self.run_endings("many", "500", ANDES_ARENA="none")
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stderr, rf"; 'andes recover {self.place}/{DIRECTORY}' makes a run file of the measured data\n\Z")
        told = self.told()
        self.assertEqual((told.ending, told.lost, (told.visits_of_functions(),) * 2),
                         ((GIVEN_UP, 0), 0, self.counted()))

    def test_nothing_is_said_into_a_file_that_has_the_number_of_standard_error(self):
        self.out = "/proc/no/run.andes"  # cannot be written, which would be said
        data = os.path.join(self.place, "data")
        for said, redirection in ((r"\Aandes: .*\n\Z", ""), (r"\A\Z", "2>&-")):
            with self.subTest(closed=redirection):
                script = 'ANDES_PID=$$ exec "$@" ' + redirection
                for mode, argument, expected in (("work", "1", said), ("replaces", data, r"\A\Z")):
                    result = subprocess.run(["/bin/sh", "-c", script, "sh", ENDINGS, mode, argument], text=True,
                                            env=self.environment({}), capture_output=True, timeout=600)
                    self.assertEqual((result.returncode, result.stdout), (3, ""))
                    self.assertRegex(result.stderr, expected)
                with open(data, encoding="utf-8") as file:
                    self.assertEqual(file.read(), "data\n")
                os.unlink(data)

    def test_another_program_in_the_same_process_begins_anew(self):
        self.assertEqual(self.run_endings("exec", "5").returncode, 3)
        self.assertEqual(sorted(os.listdir(self.place)), ["counters", "run.andes"])

    def test_closed_descriptors_do_no_harm(self):
        self.assertEqual(self.run_endings("closed", "3000", ANDES_TREE_MB="64").returncode, -signal.SIGKILL)
        told = self.told()
        asked, begun = self.counted()
        self.assertEqual((asked, told.visits_of_functions(), told.lost), (begun, begun, 0))
        self.assertGreater(len(told.visits), 1000)


class Places(ArenaTest):
    def check_unharmed(self, line=None, rounds=2000, **options):
        """The program runs and its run file is written; `line` is said."""
        result = self.run_endings("many", str(rounds), **options)
        self.assertEqual(result.returncode, 3)
        if line:
            self.assertRegex(result.stderr, rf"\Aandes: {line}\n\Z")
        else:
            self.assertEqual(result.stderr, "")
        self.assertTrue(os.path.exists(self.out))

    nowhere = r"no room for the measured data \(.*\), so they are lost if this program is killed; " \
              r"set arena to a directory with room"

    def test_none_asks_for_no_files(self):
        self.check_unharmed(ANDES_ARENA="none")

    def test_a_directory_that_is_not_there(self):
        self.check_unharmed(rf"/proc/none: {self.nowhere}", ANDES_ARENA="/proc/none")

    def test_a_directory_that_cannot_be_written(self):
        self.check_unharmed(rf"/proc: {self.nowhere}", ANDES_ARENA="/proc")

    def test_a_directory_that_others_may_enter_is_left_alone(self):
        os.mkdir(os.path.join(self.place, DIRECTORY))
        os.chmod(os.path.join(self.place, DIRECTORY), 0o755)
        self.check_unharmed(rf".*: {self.nowhere}")
        self.assertEqual(os.listdir(os.path.join(self.place, DIRECTORY)), [])

    def test_a_directory_of_another_user_is_left_alone(self):
        if os.geteuid() != 0:
            self.skipTest("only root can make one")
        path = os.path.join(self.place, DIRECTORY)
        os.mkdir(path, 0o700)
        os.chown(path, 65534, 65534)
        self.check_unharmed(rf".*: {self.nowhere}")
        self.assertEqual(os.listdir(path), [])

    def test_links_are_not_followed(self):
        elsewhere = os.path.join(self.place, "elsewhere")
        os.mkdir(elsewhere, 0o700)
        os.symlink(elsewhere, os.path.join(self.place, DIRECTORY))
        self.check_unharmed(rf".*: {self.nowhere}")
        self.assertEqual(os.listdir(elsewhere), [])

    def test_images_are_written_into_no_directory_of_others(self):
        """What has no arena is written beside the run file that could not be: there, others may have laid something."""
        elsewhere = os.path.join(self.place, "elsewhere")
        os.mkdir(elsewhere, 0o700)
        self.out = os.path.join(self.place, "x" * 300)  # longer than any file's name
        laid = os.path.join(self.place, DIRECTORY)
        for lay in (lambda: os.symlink(elsewhere, laid), lambda: (os.unlink(laid), os.mkdir(laid), os.chmod(laid, 0o777))):
            lay()
            result = self.run_endings("work", "1", ANDES_ARENA="none")
            self.assertEqual(result.returncode, 3)
            self.assertRegex(result.stderr, r"the measured data are lost: no room in ")
            self.assertEqual((os.listdir(elsewhere), os.listdir(laid)), ([], []))

    def test_a_name_from_the_environment_stays_in_the_place(self):
        self.out = "/proc/no/run.andes"
        self.run_endings("work", "1", ANDES_JOB="../../x y")
        self.assertEqual(sorted(os.listdir(self.place)), [f"andes-{os.geteuid()}-.._.._x_y", "counters"])

    def test_nobody_else_may_read_what_is_measured(self):
        self.out = "/proc/no/run.andes"
        self.run_endings("work", "1", prepare=lambda: os.umask(0))
        directory = os.path.join(self.place, DIRECTORY)
        kept = [directory] + [os.path.join(directory, name) for name in sorted(os.listdir(directory))]
        self.assertEqual(len(self.arenas()), 1)
        self.assertEqual([oct(os.stat(path).st_mode & 0o7777) for path in kept], ["0o700"] + ["0o600"] * len(kept[1:]))

    def test_a_file_that_may_not_grow(self):
        limit = 256 << 10
        self.check_unharmed(prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
                            rounds=1, line=rf".*: {self.nowhere}")

    def test_a_file_that_may_grow_a_little(self):
        limit = 2 << 20
        self.check_unharmed(prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)), rounds=200)

    def test_two_gigabytes_of_address_space(self):
        limit = 2 << 30
        self.check_unharmed(prepare=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

    def test_a_memory_file_system_of_a_megabyte(self):
        small = os.path.join(self.place, "small")
        os.mkdir(small)
        mounted = ["sh", "-c", f'mount -t tmpfs -o size=1m none {small} && exec "$@"', "sh"]
        if subprocess.run([*WITH_OWN_MOUNTS, *mounted, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("file systems cannot be mounted here")
        for filled in (0, 600, 1020):  # KiB of it that others have taken
            with self.subTest(filled=filled):
                fill = ["sh", "-c", f'head -c {filled}k /dev/zero >{small}/others; exec "$@"', "sh"]
                environment = self.environment({"ANDES_ARENA": small, "ANDES_TREE_MB": "64"})
                keep = f'"$@"; status=$?; ls {small}/andes-* 2>/dev/null; exit $status'
                result = subprocess.run([*WITH_OWN_MOUNTS, *mounted, *fill, "sh", "-c", keep, "sh",
                                         *self.command(["many", "20000"], True)], text=True, env=environment,
                                        capture_output=True, timeout=600)
                self.assertEqual((result.returncode, result.stdout), (3, ""), result.stderr)
                os.unlink(self.out)


del sys.argv[1:4]
unittest.main()
