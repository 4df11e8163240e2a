"""What the tests of clocks share: running a program and reading the lines of print_clock.cc."""
import collections

Point = collections.namedtuple("Point", "true global_ns error_ns")
Rank = collections.namedtuple("Rank", "rank node nodes synchronised offset_error_ns points")


def ranks_of(text):
    """By rank: what each printed; points are the start, half-way and the end."""
    ranks = {}
    for line in text.splitlines():
        if "clock " not in line:
            continue
        words = line[line.index("clock "):].split()[1:]
        numbers = [float(word) for word in words[5:]]
        points = [Point(*numbers[i:i + 3]) for i in range(0, 9, 3)]
        ranks[int(words[0])] = Rank(*[int(word) for word in words[:4]], float(words[4]), points)
    return ranks


def check_offsets(test, ranks, nodes):
    """All ranks agree with rank 0 within what they state; `nodes` is the node of each rank."""
    test.assertEqual(sorted(ranks), list(range(len(nodes))))
    first, _, last = ranks[0].points
    ns_per_unit = (last.global_ns - first.global_ns) / (last.true - first.true)
    for rank in ranks.values():
        test.assertEqual((rank.node, rank.nodes, rank.synchronised),
                         (nodes[rank.rank], max(nodes) + 1, 1))
        test.assertEqual(rank.offset_error_ns == 0, max(nodes) == 0)
        for point in rank.points:
            truth_ns = first.global_ns + (point.true - first.true) * ns_per_unit
            # 5 ns: the counter is read in whole ticks, and printed in whole thousandths of them.
            test.assertLessEqual(abs(point.global_ns - truth_ns), point.error_ns + 5,
                                 f"rank {rank.rank}: {rank}")
            test.assertLessEqual(point.error_ns, rank.offset_error_ns)
            test.assertEqual(point.error_ns == 0, rank.node == 0)
        for other in ranks.values():
            if other.node == rank.node:
                test.assertEqual([p[1:] for p in other.points], [p[1:] for p in rank.points])
