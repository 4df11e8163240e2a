"""Visits, bytes, messages and the communication matrix, against books that the program keeps."""
import unittest

from support import NUMBERS, MpiTest, each_mpi


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


if __name__ == "__main__":
    unittest.main()
