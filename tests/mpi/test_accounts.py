"""Visits, bytes, messages and the communication matrix, against books that the program keeps."""
import unittest

from support.mpi import NUMBERS, MpiTest, each_mpi


class Accounts(MpiTest):
    maxDiff = None

    def compare(self, output, regions, matrix):
        booked, messages = {}, {}
        for line in output.splitlines():
            word, *fields = line.split()
            if word == "call":
                total = booked.setdefault(fields[0], dict.fromkeys(NUMBERS, 0))
                for name, value in zip(NUMBERS, fields[1:]):
                    total[name] += int(value)
            elif word == "matrix":
                source, destination, count, size = map(int, fields)
                messages[source, destination] = (count, size)
        self.assertGreater(len(booked), 60)
        measured = {name: {number: int(columns.get(number, 0)) for number in NUMBERS}
                    for name, columns in regions.items() if name.startswith("MPI_")}
        self.assertEqual(measured, booked)
        self.assertEqual(matrix, messages)

    def check(self, mpi, ranks, *arguments):
        program = self.compile(mpi, "accounts.c")
        done = self.run_ranks(mpi, ranks, [program, *arguments])
        self.assertEqual(done.stderr, "")
        self.compare(done.stdout, *self.read()[:2])

    @each_mpi
    def test_books_agree_on_two_ranks(self, mpi):
        self.check(mpi, 2)

    @each_mpi
    def test_books_agree_on_five_ranks(self, mpi):
        self.check(mpi, 5)

    @each_mpi
    def test_books_agree_with_many_threads_allowed(self, mpi):
        self.check(mpi, 2, "multiple")

    @each_mpi
    def test_books_agree_where_receives_fail(self, mpi):
        self.check(mpi, 2, "failing")

    @each_mpi
    def test_threads_at_once(self, mpi):
        program = self.compile(mpi, "threads.c", "-pthread")
        done = self.run_ranks(mpi, 2, [program])
        self.assertEqual(done.stderr, "")
        if "no threads" in done.stdout:
            self.skipTest(f"{mpi} has no MPI_THREAD_MULTIPLE")
        self.assertEqual(done.stdout, "messages 6000\nmessages 6000\n")
        regions, matrix, _ = self.read()
        self.assertEqual(matrix, {(0, 1): (6000, 24000), (1, 0): (6000, 24000)})
        self.assertEqual(regions["MPI_Irecv"]["visits"], 12000)
        self.assertEqual(regions["MPI_Wait"]["visits"], 2 * 4 * 150 * 10)
        self.assertEqual(regions["MPI_Wait"]["messages_received"], 6000)
        self.assertEqual(regions["MPI_Waitall"]["messages_received"], 6000)
        self.assertEqual(regions["MPI_Waitall"]["bytes_received"], 24000)

    @each_mpi
    def test_calls_that_mpi_makes_itself_are_not_counted(self, mpi):
        program = self.compile(mpi, "io.c")
        done = self.run_ranks(mpi, 2, [program, self.path("data")])
        self.assertEqual(sorted(done.stdout.splitlines()),
                         ["rank 0 read 0, failed 1", "rank 1 read 1, failed 1"])
        regions = self.read()[0]
        visits = {name: columns["visits"] for name, columns in regions.items()
                  if name.startswith("MPI_")}
        self.assertEqual(visits, dict.fromkeys(
            ["MPI_Init", "MPI_Comm_rank", "MPI_File_open", "MPI_File_write_at_all",
             "MPI_File_read_at_all", "MPI_File_close", "MPI_Comm_set_errhandler", "MPI_Send",
             "MPI_Finalize"], 2))
        self.assertNotIn("bytes_sent", regions["MPI_Send"])
    @each_mpi
    def test_persistent_collectives_and_mpi_4(self, mpi):
        program = self.compile(mpi, "persistent.c")
        self.assertEqual(self.run_ranks(mpi, 2, [program]).stderr, "")
        regions, matrix, facts = self.read()

        def numbers(name):
            return tuple(int(regions[name].get(number, 0)) for number in NUMBERS)
        prefix = "MPI_" if int(facts["mpi_version"].split(".")[0]) >= 4 else "MPIX_"
        self.assertEqual(numbers(prefix + "Allreduce_init"), (2, 0, 0, 0, 0))
        self.assertEqual(numbers("MPI_Start"), (4, 320, 320, 0, 0))
        self.assertEqual(numbers("MPI_Startall"), (4, 80, 80, 0, 0))
        if prefix == "MPIX_":
            self.assertEqual(matrix, {})
            return
        self.assertEqual(numbers("MPI_Irecv_c"), (2, 0, 0, 0, 0))
        self.assertEqual(numbers("MPI_Send_c"), (2, 800, 0, 2, 0))
        self.assertEqual(numbers("MPI_Allgatherv_c"), (2, 12, 24, 0, 0))
        self.assertEqual(numbers("MPI_Isendrecv"), (2, 24, 0, 2, 0))
        # MPICH 4.0 leaves the byte count of an MPI_Isendrecv's status unset.
        self.assertEqual(numbers("MPI_Wait")[::3], (12, 0))
        self.assertEqual(numbers("MPI_Wait")[4], 4)
        self.assertGreaterEqual(numbers("MPI_Wait")[2], 800)
        self.assertEqual(matrix, {(0, 1): (2, 412), (1, 0): (2, 412)})


if __name__ == "__main__":
    unittest.main()
