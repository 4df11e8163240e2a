"""The log of messages and collectives: both sides name every operation alike. The monitor runs with a
finishing library (log_dump.cc) that writes the log as text."""
import os
import re
import shutil
import unittest
from collections import Counter, defaultdict, namedtuple

from support.build import SOURCE, given
from support.mpi import LIBRARY, MpiTest, each_mpi

DUMP = given("TEST_LOG_DUMP")


def event_kinds():
    """The names of EventKind, in order."""
    with open(os.path.join(SOURCE, "monitor", "core", "event_log.h"), encoding="utf-8") as file:
        enum = re.search(r"enum class EventKind .*?\{(.*?)\};", file.read(), re.S)[1]
    return re.findall(r"^ *(\w+),", re.sub("//.*", "", enum), re.M)


KINDS = event_kinds()
PENDING, ROOT, COMBINED, EMPTY = 1, 2, 4, 4
WITHIN = 4  # EpochTag: calls within lock epochs that lasted long

Record = namedtuple("Record", "kind flags enter duration region channel number peer tag unordered "
                              "amount thread")


class Log:
    def __init__(self, path):
        self.records, self.communicators = [], []
        with open(path, encoding="utf-8") as file:
            for line in file:
                word, *fields = line.split()
                if word == "record":
                    self.records.append(Record(
                        KINDS[int(fields[0])], int(fields[1]), int(fields[2]), float(fields[3]),
                        fields[4], fields[5], *map(int, fields[6:])))
                elif word == "communicator":
                    self.communicators.append((fields[0], *map(int, fields[1:])))
                else:
                    self.level, self.unordered, self.outside, self.lost, self.bytes = map(int, fields)
        self.records.sort(key=lambda record: record.enter)

    def of(self, *kinds):
        return [record for record in self.records if record.kind in kinds]


def operation(record):
    return record.channel, record.number


class LogTest(MpiTest):
    maxDiff = None

    def logs(self, mpi, ranks, command, **environment):
        """Standard output of the program, and the logs of its ranks."""
        library = self.path("lib")
        if not os.path.exists(library):
            shutil.copytree(os.path.dirname(LIBRARY), library)
            shutil.copy(DUMP, os.path.join(library, "libandes-finish.so"))
        for name in os.listdir(self.folder):
            if name.startswith("run.andes"):
                os.remove(self.path(name))
        done = self.run_ranks(mpi, ranks, ["env", f"LD_PRELOAD={library}/libandes.so", *command],
                              monitored=False,
                              environment={"ANDES_OUT": self.path("run.andes"), **environment})
        self.assertEqual(done.stderr, "")
        return done.stdout, [Log(self.path(f"run.andes.{rank}")) for rank in range(ranks)]

    def pairs(self, logs):
        """{operation: (rank, record) of its send}, and of its receive; each once."""
        sends, receives = {}, {}
        for rank, log in enumerate(logs):
            for kind, found in (("send", sends), ("receive", receives)):
                for record in log.of(kind):
                    self.assertNotIn(operation(record), found)
                    found[operation(record)] = rank, record
        return sends, receives


class Messages(LogTest):
    @each_mpi
    def test_every_receive_finds_its_send(self, mpi):
        program = self.compile(mpi, "log.c")
        output, logs = self.logs(mpi, 3, [program])
        self.assertEqual([(log.unordered, log.outside, log.lost) for log in logs], [(0, 0, 0)] * 3)
        sends, receives = self.pairs(logs)
        for line in output.splitlines():
            rank, *expected = map(int, line.split()[1:])
            # Probed messages are received by the calls that take them: in the log in that order.
            received = sorted(((record.enter, sends[key][1].amount) for key, (owner, record) in
                               receives.items() if owner == rank))
            self.assertEqual([size for _, size in received], expected, f"rank {rank}")
        for key, (rank, record) in receives.items():
            source, send = sends[key]
            self.assertEqual((record.peer, send.peer), (source, rank))
            self.assertEqual(record.tag, send.tag)
            if not record.flags & PENDING:
                self.assertEqual(record.amount, send.amount)
        # What is not in the receiver's log was received while it was switched off.
        off = [sends[key][1] for key in sends if key not in receives]
        self.assertEqual([(send.peer, send.tag) for send in off], [(1, 31)] * 3)

    @each_mpi
    def test_every_start_has_its_completion(self, mpi):
        program = self.compile(mpi, "log.c")
        # The time of polls whose region is closed would be estimated.
        _, logs = self.logs(mpi, 3, [program], ANDES_WINDOWS="off")
        for log in logs:
            for kind in "send", "receive":
                started = {operation(r): r for r in log.of(kind) if r.flags & PENDING}
                completed = {operation(r): r for r in log.of(kind + "_completion")}
                self.assertEqual(set(started), set(completed))
                self.assertEqual(len(completed), len(log.of(kind + "_completion")))
                for key, record in completed.items():
                    start = started[key]
                    between = record.enter - start.enter - start.duration
                    self.assertGreaterEqual(between, -1 - start.enter * 2 ** -20)
                    # Ticks inside MPI between the two, out of 19 bits.
                    self.assertLessEqual(record.amount, (between + 2) * 1.00001 + 64)
                    self.assertRegex(record.region, "^MPI_(Wait|Test)")

    @each_mpi
    def test_both_parts_of_isendrecv_are_completed(self, mpi):
        program = self.compile(mpi, "persistent.c")
        _, logs = self.logs(mpi, 2, [program])
        for log in logs:
            of_wait = {(r.kind, operation(r)) for r in log.records if r.region == "MPI_Wait"}
            parts = [r for r in log.records if r.region == "MPI_Isendrecv"]
            self.assertEqual(sorted(r.kind for r in parts),
                             ["receive", "send"] if parts else [])  # not in MPI 3
            for part in parts:
                self.assertIn((part.kind + "_completion", operation(part)), of_wait)

    @each_mpi
    def test_numbers_of_collectives_go_on_while_switched_off(self, mpi):
        program = self.compile(mpi, "log.c")
        _, logs = self.logs(mpi, 3, [program])
        collectives = [Counter(operation(r) for r in log.of("barrier", "n_to_n")) for log in logs]
        self.assertEqual(collectives[0], collectives[2])
        self.assertEqual(set(collectives[0].values()), {1})
        missing = collectives[0] - collectives[1]
        self.assertEqual(collectives[1] - collectives[0], Counter())
        self.assertEqual(len(missing), 3)  # the MPI_Allreduces
        kinds = {operation(r): r.kind for r in logs[0].records}
        self.assertEqual({kinds[key] for key in missing}, {"n_to_n"})

    @each_mpi
    def test_both_sides_keep_the_same_sample(self, mpi):
        program = self.compile(mpi, "log_many.c")
        _, logs = self.logs(mpi, 2, [program, "40000"], ANDES_LOG_MB="0.4")
        for log in logs:
            self.assertGreater(log.level, 0)
            self.assertLessEqual(log.bytes, 0.3e6)
            self.assertEqual(log.lost, 0)
        level = max(log.level for log in logs)
        sends = {operation(r): r for r in logs[0].of("send")}
        receives = {operation(r): r for r in logs[1].of("receive")}
        common = set(sends) & set(receives)
        # The coarser of the two holds nothing that the other has not.
        self.assertTrue(common == set(sends) or common == set(receives))
        # Binomial: within five standard deviations of 40000 / 2^level.
        share = 2.0 ** -level
        self.assertLess(abs(len(common) - 40000 * share), 5 * (40000 * share) ** 0.5)
        for key in common:  # message i has the number i and i % 1000 + 1 bytes
            self.assertEqual(sends[key].amount, key[1] % 1000 + 1)
        for log in logs:
            for kind in "send", "receive":
                started = {operation(r) for r in log.of(kind) if r.flags & PENDING}
                self.assertEqual(started, {operation(r) for r in log.of(kind + "_completion")})

    @each_mpi
    def test_nothing_is_logged_where_no_memory_is_given(self, mpi):
        program = self.compile(mpi, "log_many.c")
        _, logs = self.logs(mpi, 2, [program, "100"], ANDES_LOG_MB="0")
        for log in logs:
            self.assertEqual(log.records, [])


class Communicators(LogTest):
    @each_mpi
    def test_all_members_give_a_communicator_the_same_name(self, mpi):
        program = self.compile(mpi, "communicators.c")
        _, logs = self.logs(mpi, 8, [program])
        members, numbers, empty = defaultdict(set), defaultdict(set), set()
        for rank, log in enumerate(logs):
            self.assertEqual((log.outside, log.lost, log.unordered), (0, 0, 0))
            for record in log.of("one_to_n"):
                if record.flags & EMPTY:  # MPI_PROC_NULL on an inter-communicator: takes no part
                    empty.add(operation(record))
                    members[record.channel, record.number].add(rank)
                    continue
                numbers[record.amount - 1000].add(operation(record))
                members[operation(record)].add(rank)
        everybody, evens, odds = set(range(8)), {0, 2, 4, 6}, {1, 3, 5, 7}
        expected = {1: everybody, 2: everybody, 3: evens, 4: odds, 5: {0, 2}, 6: {4, 6}, 7: {1, 3},
                    8: {5, 7}, 9: {0, 2}, 10: {4, 6}, 11: {1, 3}, 12: {5, 7}, 13: {0, 1, 2},
                    14: everybody, 15: {0, 1, 2, 3}, 16: {4, 5, 6, 7}, 17: evens, 18: evens, 19: evens,
                    20: odds, 21: everybody, 22: everybody, 23: everybody, 24: everybody}
        self.assertEqual({name: len(found) for name, found in numbers.items()},
                         dict.fromkeys(expected, 1))
        operations = {name: found.pop() for name, found in numbers.items()}
        self.assertEqual(len(set(operations.values())), len(expected))
        self.assertEqual({name: members[found] for name, found in operations.items()}, expected)
        self.assertEqual(empty, {operations[21], operations[23]})
        # The members that the exchange is told, in one order; 0 is the root.
        lists = defaultdict(set)
        for rank, log in enumerate(logs):
            for key, size, own, local_size, *world in log.communicators:
                self.assertEqual(len(world), size)
                self.assertEqual(world[own], rank)
                if key != "2":  # MPI_COMM_SELF
                    lists[key].add((tuple(world)))
        self.assertEqual({len(found) for found in lists.values()}, {1})
        self.assertIn({(6, 4, 2, 0)}, lists.values())  # of the split with reversed keys
        self.assertIn({(6, 4, 2, 0, 7, 5, 3, 1)}, lists.values())  # of the inter-communicator


    @each_mpi
    def test_idup_from_fortran(self, mpi):
        for binding, handle in ("mpi", "integer ::"), ("mpi_f08", "type(MPI_%s) ::"):
            kinds = [handle % kind if "%" in handle else handle for kind in ("Comm", "Request")]
            program = self.compile(mpi, self.write("idup.f90", f"""program idup
              use {binding}
              {kinds[0]} other
              {kinds[1]} request
              integer :: ierror
              call MPI_Init(ierror)
              call MPI_Comm_idup(MPI_COMM_WORLD, other, request, ierror)
              call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
              call MPI_Barrier(other, ierror)
              call MPI_Finalize(ierror)
            end program
            """))
            _, logs = self.logs(mpi, 2, [program])
            barriers = [[operation(r) for r in log.of("barrier")] for log in logs]
            self.assertEqual(barriers[0], barriers[1])
            self.assertEqual([(len(barriers[0]), log.outside) for log in logs], [(1, 0)] * 2)


class Files(LogTest):
    def of_files(self, mpi, program, *words):
        """The functions whose records of files both ranks have, in their order."""
        _, logs = self.logs(mpi, 2, [program, *words])
        records = [[(*operation(r), r.region) for r in log.of("file")] for log in logs]
        self.assertEqual(records[0], records[1])
        self.assertEqual(len({channel for channel, _, _ in records[0]}), 1)
        self.assertEqual([number for _, number, _ in records[0]], list(range(len(records[0]))))
        self.assertEqual([(log.outside, log.lost, log.unordered) for log in logs], [(0, 0, 0)] * 2)
        return [region.removeprefix("MPI_File_") for _, _, region in records[0]]

    @each_mpi
    def test_calls_of_all_ranks_have_their_order(self, mpi):
        self.assertEqual(self.of_files(mpi, self.compile(mpi, "files.c"), self.path(f"data-{mpi}")), [
            "open", "set_view", "write_at_all", "write_at_all_begin", "write_all", "write_all_begin", "sync",
            "read_at_all", "read_at_all_begin", "read_all", "seek_shared", "write_ordered", "seek_shared", "read_ordered",
            "close"])

    @each_mpi
    def test_files_of_fortran(self, mpi):
        for binding, kind in ("mpi", "integer"), ("mpi_f08", "type(MPI_File)"):
            program = self.compile(mpi, self.write("files.f90", f"""program files
              use {binding}
              {kind} :: file
              integer :: ierror, words(4)
              integer(kind=MPI_OFFSET_KIND) :: offset = 64
              words = 7
              call MPI_Init(ierror)
              call MPI_File_open(MPI_COMM_WORLD, 'fortran.data  ', MPI_MODE_CREATE + MPI_MODE_RDWR + &
                                 MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierror)
              call MPI_File_set_size(file, offset, ierror)
              call MPI_File_get_size(file, offset, ierror)
              if (offset /= 64) print *, 'wrong size'
              offset = 0
              call MPI_File_set_view(file, offset, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierror)
              call MPI_File_write_at_all(file, offset, words, 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierror)
              call MPI_File_close(file, ierror)
              if (ierror /= MPI_SUCCESS .or. file /= MPI_FILE_NULL) print *, 'wrong close'
              call MPI_Finalize(ierror)
            end program
            """))
            self.assertEqual(self.of_files(mpi, program), ["open", "set_size", "set_view", "write_at_all", "close"])


class Windows(LogTest):
    @each_mpi
    def test_epochs_meet(self, mpi):
        program = self.compile(mpi, "windows.c")
        _, logs = self.logs(mpi, 3, [program])
        for log in logs:
            self.assertEqual((log.outside, log.lost, log.unordered), (0, 0, 0))
        # Collectives of the windows: two made, four fences, two freed, in one order on all ranks.
        kinds = "window_create", "fence", "window_free"
        of_windows = [sorted((r.channel, r.number, r.kind) for r in log.of(*kinds)) for log in logs]
        self.assertEqual(of_windows[0], of_windows[1])
        self.assertEqual(of_windows[0], of_windows[2])
        self.assertEqual(Counter(kind for _, _, kind in of_windows[0]),
                         {"window_create": 2, "fence": 4, "window_free": 2})
        self.assertEqual(len({key for key, _, _ in of_windows[0]}), 2)
        self.assertEqual(len(set(of_windows[0])), 8)
        # Post and start have the same names, twice for each origin; so have complete and wait.
        for origin in 1, 2:
            epochs = {operation(r) for r in logs[origin].of("start")}
            self.assertEqual(len(epochs), 2)
            self.assertEqual(epochs, {operation(r) for r in logs[origin].of("complete")})
            for kind in "post", "wait":
                self.assertEqual(epochs, {operation(r) for r in logs[0].of(kind) if r.peer == origin})
        self.assertEqual(Counter(r.region for r in logs[0].of("wait")),
                         {"MPI_Win_wait": 2, "MPI_Win_test": 2})
        self.assertEqual(len(logs[0].of("post")), 4)
        # Locks: three exclusive ones at rank 0, each with its first access and flush; one shared, of all and of the one accessed.
        # An access or flush that has lasted, by chance, has one more record, of kind lock.
        for rank, log in enumerate(logs):
            epochs = defaultdict(list)
            for record in log.of("lock", "access", "unlock"):
                if record.tag == WITHIN:
                    continue
                epochs[operation(record)].append(
                    (record.kind, record.flags, record.peer, record.region))
            exclusive = [("lock", 2, 0, "MPI_Win_lock"), ("access", 0, 0, "MPI_Accumulate"),
                         ("access", 0, 0, "MPI_Win_flush"), ("unlock", 0, 0, "MPI_Win_unlock")]
            right = (rank + 1) % 3
            shared = [("lock", 0, right, "MPI_Win_lock_all"), ("access", 0, right, "MPI_Rput"),
                      ("unlock", 0, right, "MPI_Win_unlock_all")]
            of_all = [("lock", 0, -1, "MPI_Win_lock_all"), ("unlock", 0, -1, "MPI_Win_unlock_all")]
            self.assertEqual(sorted(epochs.values()),
                             sorted([exclusive] * (3 if rank else 0) + [shared, of_all]))

    @each_mpi
    def test_flushes_of_all_targets(self, mpi):
        _, logs = self.logs(mpi, 3, [self.compile(mpi, "flushes.c")])
        for rank, log in enumerate(logs):
            flushes = Counter((record.region, record.peer) for record in log.of("lock")
                              if record.tag == WITHIN and record.region.endswith("_all"))
            right, left = (rank + 1) % 3, (rank + 2) % 3
            self.assertEqual(flushes, {("MPI_Win_flush_all", right): 2, ("MPI_Win_flush_all", left): 1,
                                       ("MPI_Win_flush_local_all", right): 1, ("MPI_Win_flush_local_all", left): 1})


if __name__ == "__main__":
    unittest.main()
