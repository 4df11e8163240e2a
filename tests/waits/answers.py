"""What `andes diagnose` must find in the programs of tests/programs/waits: by hand, from the times at
which their ranks enter MPI. A case without findings is balanced.
"""

from collections import namedtuple

# cause     as in the rules
# path      below main/CASE/; from the root where it begins with "/"
# wait_ms   of each rank that waits
# peer      call path of the other side, written as `path`; None: not asked for
# peer_rank the rank that was waited for, origin_rank where the chain of waits begins; None: not asked
# gain_ms   by how much the run would be shorter with the cure that suits the cause; None: not asked
# follows   cause of the finding from which it follows; None: of none
Finding = namedtuple("Finding", "cause path wait_ms peer peer_rank origin_rank gain_ms follows")
Finding.__new__.__defaults__ = (None, None, None, None, None)

# kinds     of MPI libraries that have what the case calls, and wait in it
# balanced  kinds that need nobody for it: there it is a case without findings
Answer = namedtuple("Answer", "ranks findings kinds balanced")
Answer.__new__.__defaults__ = (("openmpi", "mpich"), ())

RECEIVE, SEND, WAIT = "receive_at/MPI_Recv", "send_at/MPI_Send", "wait_at/MPI_Wait"
BARRIER = "barrier_at/MPI_Barrier"

MESSAGES = {
    "late_sender": Answer(2, [
        Finding("late_sender", RECEIVE, {1: 300 - 50}, SEND, 0)]),
    "late_sender_wait": Answer(2, [
        Finding("late_sender", WAIT, {1: 350 - 100}, "MPI_Isend", 0)]),
    "late_sender_waitall": Answer(3, [  # the longest wait alone
        Finding("late_sender", "MPI_Waitall", {2: 400 - 100}, SEND, 1)]),
    "late_sender_waitany": Answer(3, [
        Finding("late_sender", "MPI_Waitany", {2: (300 - 100) + (450 - 300)}, SEND)]),
    "late_sender_waitsome": Answer(3, [
        Finding("late_sender", "MPI_Waitsome", {2: (300 - 100) + (450 - 300)}, SEND)]),
    "late_sender_persistent": Answer(2, [
        Finding("late_sender", WAIT, {1: (350 - 100) + (750 - 500)}, "MPI_Start", 0)]),
    "late_sender_partitioned": Answer(2, [
        Finding("late_sender", WAIT, {1: (350 - 100) + (750 - 500)}, "MPI_Pready", 0)], ["mpich"]),
    "late_sender_sendrecv": Answer(4, [
        Finding("late_sender", "MPI_Sendrecv", {1: 350 - 50}, "MPI_Sendrecv", 0)]),
    "late_sender_mprobe": Answer(2, [
        Finding("late_sender", "MPI_Mprobe", {1: 300 - 50}, SEND, 0)]),
    "late_sender_probe": Answer(2, [
        Finding("late_sender", "MPI_Probe", {1: 300 - 50}, SEND, 0)]),
    "late_sender_wildcard": Answer(3, [
        Finding("late_sender", RECEIVE, {0: (300 - 50) + (500 - 300)}, SEND)]),
    "late_sender_thread": Answer(2, [
        Finding("late_sender", "/late_sender_in_thread/" + RECEIVE, {1: 300 - 50}, SEND, 0)]),
    "late_receiver": Answer(2, [
        Finding("late_receiver", "send_synchronous_at/MPI_Ssend", {0: 300 - 50}, RECEIVE, 1)]),
    "late_receiver_large": Answer(2, [
        Finding("late_receiver", "send_large_at/MPI_Send", {0: 300 - 50}, "MPI_Recv", 1)]),
    "late_receiver_wait": Answer(2, [
        Finding("late_receiver", WAIT, {0: 350 - 100}, RECEIVE, 1)]),
    "late_progress": Answer(2, [
        Finding("late_progress", "send_large_at/MPI_Send", {0: 350 - 100}, "receive_large_at/" + WAIT, 1)]),
    "late_progress_wait": Answer(2, [
        Finding("late_progress", WAIT, {0: 350 - 100}, "receive_large_at/" + WAIT, 1)]),
    "late_progress_receive": Answer(2, [
        Finding("late_progress", "MPI_Recv", {1: 350 - 100}, WAIT, 0, 0)]),
    "late_progress_receive_wait": Answer(2, [
        Finding("late_progress", WAIT, {1: 350 - 100}, WAIT, 0, 0)]),
    "late_progress_exchange": Answer(2, [
        Finding("late_progress", "MPI_Waitall", {0: 3 * (150 - 50)}, "MPI_Waitall", 1)]),
    "wrong_order_tags": Answer(2, [
        Finding("wrong_order", RECEIVE, {1: 400 - 150}, SEND, 0)]),
    "wrong_order_sources": Answer(3, [
        Finding("wrong_order", RECEIVE, {2: 400 - 150}, SEND, 1)]),
    "data_dependency": Answer(4, [
        Finding("data_dependency", RECEIVE, {2: 400 - 100, 3: 400 - 150}, SEND, None, 0),
        Finding("late_sender", RECEIVE, {1: 400 - 50}, SEND, 0)]),
    "two_causes": Answer(4, [
        Finding("late_receiver", "send_synchronous_at/MPI_Ssend", {2: 450 - 100}, RECEIVE, 3),
        Finding("late_sender", RECEIVE, {1: 300 - 50}, SEND, 0)]),
}

COLLECTIVES = {
    "early_reduce": Answer(8, [  # the latest, rank 5, not the earliest
        Finding("early_reduce", "MPI_Reduce", {0: 350 - 50}, "MPI_Reduce", 5)]),
    "early_reduce_gather": Answer(4, [
        Finding("early_reduce", "MPI_Gather", {3: 350 - 50}, "MPI_Gather", 1)]),
    "late_broadcast": Answer(4, [
        Finding("late_broadcast", "MPI_Bcast", {r: 300 - 50 for r in (0, 2, 3)}, "MPI_Bcast", 1)]),
    "late_broadcast_scatter": Answer(4, [
        Finding("late_broadcast", "MPI_Scatter", {r: 300 - 50 for r in (0, 2, 3)}, "MPI_Scatter",
                1)]),
    "wait_at_nxn": Answer(4, [
        Finding("wait_at_nxn", "allreduce_at/MPI_Allreduce",
                {0: 350 - 50, 1: 350 - 100, 2: 350 - 150}, "allreduce_at/MPI_Allreduce", 3)]),
    "wait_at_nxn_alltoall": Answer(4, [
        Finding("wait_at_nxn", "MPI_Alltoall", {r: 350 - 50 for r in (0, 1, 3)}, "MPI_Alltoall", 2)]),
    "wait_at_nxn_wait": Answer(4, [
        Finding("wait_at_nxn", WAIT, {r: 400 - 100 for r in (0, 2, 3)}, "MPI_Iallreduce", 1)]),
    "wait_at_nxn_scan": Answer(4, [
        Finding("wait_at_nxn", "MPI_Scan", {r: 350 - 50 for r in (2, 3)}, "MPI_Scan", 1)]),
    "wait_at_nxn_twice": Answer(4, [
        Finding("wait_at_nxn", "allreduce_at/MPI_Allreduce", {r: 300 - 50 for r in (0, 1, 3)},
                "allreduce_at/MPI_Allreduce", 2),
        Finding("wait_at_nxn", "MPI_Alltoall", {r: 600 - 350 for r in (1, 2, 3)}, "MPI_Alltoall", 0)]),
    "wait_at_barrier": Answer(4, [
        Finding("wait_at_barrier", BARRIER, {r: 350 - 50 for r in (0, 1, 2)}, BARRIER, 3)]),
    "wait_at_barrier_wait": Answer(4, [
        Finding("wait_at_barrier", WAIT, {r: 400 - 100 for r in (0, 1, 2)}, "MPI_Ibarrier", 3)]),
    "wait_at_barrier_split": Answer(4, [
        Finding("wait_at_barrier", BARRIER, {2: 500 - 250}, BARRIER, 0)]),
    "wait_at_barrier_dup": Answer(4, [
        Finding("wait_at_barrier", BARRIER, {r: 500 - 300 for r in (0, 2, 3)}, BARRIER, 1)]),
    "wait_at_communicator_create": Answer(4, [
        Finding("wait_at_communicator_create", "MPI_Comm_dup", {r: 350 - 100 for r in (0, 1, 2)}, "MPI_Comm_dup", 3, 3),
        Finding("wait_at_communicator_create", "MPI_Comm_split", {r: 800 - 600 for r in (1, 2, 3)}, "MPI_Comm_split", 0,
                0),
        Finding("wait_at_communicator_create", "MPI_Intercomm_create", {1: 1150 - 1000}, "MPI_Intercomm_create", 3, 3)]),
    "late_sender_intercomm": Answer(4, [
        Finding("late_sender", "MPI_Recv", {3: 500 - 250}, "MPI_Send", 0)]),
    "wait_at_nxn_neighbours": Answer(4, [  # not rank 2, who sits on the other side of the ring
        Finding("wait_at_nxn", "MPI_Neighbor_alltoall", {r: 500 - 250 for r in (1, 3)},
                "MPI_Neighbor_alltoall", 0)]),
    "wait_at_nxn_graph": Answer(4, [
        Finding("wait_at_nxn", WAIT, {2: 650 - 400}, "MPI_Ineighbor_allgather", 1)]),
    "two_causes": Answer(4, [
        Finding("wait_at_barrier", BARRIER, {r: 700 - 400 for r in (1, 2, 3)}, BARRIER, 0),
        Finding("late_broadcast", "MPI_Bcast", {r: 300 - 50 for r in (0, 1, 3)}, "MPI_Bcast", 2)]),
}

ONESIDED = {
    "wait_at_window_create": Answer(4, [
        Finding("wait_at_window_create", "create_at/MPI_Win_create",
                {r: 350 - 50 for r in (0, 1, 2)}, "create_at/MPI_Win_create", 3)]),
    "fence": Answer(4, [
        Finding("wait_at_barrier", "fence_at/MPI_Win_fence", {r: 850 - 600 for r in (0, 2, 3)},
                "fence_at/MPI_Win_fence", 1)]),
    "late_post": Answer(2, [
        Finding("late_post", "access_at/MPI_Win_start", {0: 750 - 500}, "expose_at/MPI_Win_post",
                1)]),
    "early_wait": Answer(2, [
        Finding("early_wait", "expose_at/MPI_Win_wait", {1: 850 - 550},
                "access_at/MPI_Win_complete", 0)]),
    "late_progress": Answer(2, [
        Finding("late_progress", "access_at/MPI_Win_complete", {0: 850 - 550}, "expose_at/MPI_Win_wait", 1)],
        ["mpich"]),
    "lock_contention": Answer(3, [
        Finding("lock_contention", "update_at/MPI_Win_lock", {1: 800 - 550}, None, 0)]),
    "owner_progress": Answer(2, [
        Finding("late_progress", "update_at/MPI_Win_lock", {1: 850 - 550}, BARRIER, 0, 0)], ["mpich"], ["openmpi"]),
    "flush_progress": Answer(2, [
        Finding("late_progress", "owner_progress_twice/fetch_at/MPI_Win_flush", {1: 2 * (850 - 550)},
                "owner_progress_twice/" + BARRIER, 0, 0)], ["mpich"]),
    "fetch_progress": Answer(2, [
        Finding("late_progress", "owner_progress_twice/fetch_at/MPI_Fetch_and_op", {1: 2 * (850 - 550)},
                "owner_progress_twice/" + BARRIER, 0, 0)], ["openmpi"]),
}

FILES = {
    "of_all": Answer(3, [
        Finding("wait_at_collective_io", "open_at/MPI_File_open", {r: 250 - 50 for r in (0, 2)},
                "open_at/MPI_File_open", 1, 1),
        Finding("wait_at_collective_io", "read_at/MPI_File_read_at_all", {r: 850 - 650 for r in (1, 2)},
                "read_at/MPI_File_read_at_all", 0, 0),
        Finding("wait_at_collective_io", "close_at/MPI_File_close", {r: 1100 - 950 for r in (0, 2)},
                "close_at/MPI_File_close", 1, 1)]),
}

POLLS = {
    "late_sender_test": Answer(2, [Finding("late_sender", "MPI_Test", {1: 300 - 50}, SEND, 0)]),
    "late_sender_with_limit": Answer(2, [Finding("late_sender", "MPI_Test", {1: 300 - 50}, SEND, 0)]),
    "late_sender_with_pauses": Answer(2, [Finding("late_sender", "MPI_Test", {1: 300 - 50}, SEND, 0)]),
    "late_sender_with_yields": Answer(2, [Finding("late_sender", "MPI_Test", {1: 300 - 50}, SEND, 0)]),
    "late_sender_test_any": Answer(2, [Finding("late_sender", "MPI_Test", {1: 300 - 50}, SEND, 0)]),
    "late_sender_testall": Answer(2, [
        Finding("late_sender", "MPI_Testall", {1: 300 - 70}, "send_two_before/" + SEND, 0)]),
    "late_sender_testany": Answer(2, [Finding("late_sender", "MPI_Testany", {1: 300 - 50}, SEND, 0)]),
    "late_sender_testsome": Answer(2, [Finding("late_sender", "MPI_Testsome", {1: 300 - 50}, SEND, 0)]),
    "late_sender_iprobe": Answer(2, [Finding("late_sender", "MPI_Iprobe", {1: 300 - 50}, SEND, 0)]),
    "late_sender_improbe": Answer(2, [Finding("late_sender", "MPI_Improbe", {1: 300 - 50}, SEND, 0)]),
    "late_sender_get_status": Answer(2, [
        Finding("late_sender", "MPI_Request_get_status", {1: 300 - 50}, SEND, 0)]),
    "late_sender_persistent": Answer(2, [Finding("late_sender", "MPI_Test", {1: 300 - 50}, SEND, 0)]),
    "late_sender_parrived": Answer(2, [
        Finding("late_sender", "MPI_Parrived", {1: 300 - 50}, "MPI_Pready", 0)], ["mpich"]),
    "late_sender_two_ways": Answer(2, [Finding("late_sender", "MPI_Test", {1: 300 - 50}, SEND, 0)]),
    "late_receiver_test": Answer(2, [Finding("late_receiver", "MPI_Test", {1: 300 - 50}, "MPI_Recv", 0)]),
    "wait_at_barrier_test": Answer(2, [
        Finding("wait_at_barrier", "MPI_Test", {1: 300 - 50}, "MPI_Ibarrier", 0)]),
    "early_wait_test": Answer(2, [
        Finding("early_wait", "MPI_Win_test", {1: 600 - 350}, "MPI_Win_complete", 0)]),
    "works_meanwhile": Answer(2, []),
    "works_half_the_time": Answer(2, [
        Finding("late_sender", "MPI_Test", {1: 6 * 20 + 300 - 290}, SEND, 0)]),
}

BALANCED = {
    "ring": Answer(4, []),
    "allreduce": Answer(4, []),
    "stencil": Answer(4, []),
    "overlapped_barrier": Answer(4, []),
}

# Ranks sleep on to a common end, which the replay takes for work: so what a rank alone saves shortens nothing.
CHAINS = {
    # Shared: of 300, 50 + 20, 100 and 100 of work until the barrier all do a quarter. The message in time
    # gains 20 alone, as rank 0 is late at the barrier, too; shared, each rank gets a quarter of its 250,
    # and ranks 2 and 3 are the last at the barrier.
    "receive_barrier": Answer(4, [
        Finding("late_sender", RECEIVE, {1: 300 - 50}, SEND, 0, 0, 320 - (100 + 250 / 4)),
        Finding("wait_at_barrier", BARRIER, {0: 320 - 300, 2: 320 - 100, 3: 320 - 100}, BARRIER, 1, 0,
                320 - (300 + 50 + 20 + 100 + 100) / 4, "late_sender")]),
    # The same times, with a send in the place of the receive.
    "progress_barrier": Answer(4, [
        Finding("late_progress", "MPI_Send", {1: 300 - 50}, "MPI_Wait", 0, 0, 320 - (100 + 250 / 4)),
        Finding("wait_at_barrier", BARRIER, {0: 320 - 300, 2: 320 - 100, 3: 320 - 100}, BARRIER, 1, 0,
                320 - (300 + 50 + 20 + 100 + 100) / 4, "late_progress")]),
    "window_progress_barrier": Answer(4, [
        Finding("late_progress", "MPI_Win_complete", {1: 300 - 50}, "MPI_Win_wait", 0, 0),
        Finding("wait_at_barrier", BARRIER, {0: 320 - 300, 2: 320 - 100, 3: 320 - 100}, BARRIER, 1, 0,
                None, "late_progress")], ["mpich"]),
    "receive_allreduce_receive": Answer(5, [
        Finding("late_sender", RECEIVE, {1: 300 - 50, 4: 300 - 50}, SEND, None, 0),
        Finding("wait_at_nxn", "MPI_Allreduce", {2: 300 - 100, 3: 300 - 100}, None, 1, 0, None,
                "late_sender")]),
    "send_broadcast_receive": Answer(5, [
        Finding("late_receiver", "send_synchronous_at/MPI_Ssend", {1: 300 - 50}, "receive_at/MPI_Recv",
                0, 0),
        Finding("late_broadcast", "MPI_Bcast", {2: 300 - 100, 3: 300 - 100}, "MPI_Bcast", 1, 0, None,
                "late_receiver"),
        Finding("late_sender", RECEIVE, {4: 300 - 150}, SEND, 3, 0, None, "late_receiver")]),
    "long_chain": Answer(8, [
        # The blocked sends of ranks 2 and 5 lie ready for ranks 1 and 4.
        Finding("wrong_order", RECEIVE, {r: 400 - 50 for r in (1, 4)}, SEND, None, 0),
        Finding("late_sender", RECEIVE, {7: 400 - 50}, SEND, 6, 0, None, "wrong_order"),
        Finding("late_receiver", "send_synchronous_at/MPI_Ssend", {r: 400 - 50 for r in (2, 5)}, None,
                None, 0, None, "wrong_order"),
        Finding("wait_at_barrier", BARRIER, {r: 400 - 50 for r in (3, 6)}, None, None, 0, None,
                "wrong_order")]),
    "waitall_receive": Answer(4, [
        Finding("late_sender", "MPI_Waitall", {2: 400 - 50}, SEND, 0, 0),
        Finding("data_dependency", RECEIVE, {3: 400 - 60}, SEND, 2, 0, None, "late_sender")]),
}

PROGRAMS = {"messages": MESSAGES, "collectives": COLLECTIVES, "onesided": ONESIDED, "files": FILES,
            "polls": POLLS, "balanced": BALANCED, "chains": CHAINS}
# Cases in which nobody waits, and nothing must be found, where a receiver fetches the data itself: by the program's own clock.
SPARED = ("late_progress_receive", "late_progress_receive_wait")
# Programs that wait as the MPI library lets them; the others wait asleep.
AWAKE = ("polls",)
