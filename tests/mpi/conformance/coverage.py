"""Which functions of mpi.h the conformance programs must have called: all that a library declares, but for those
listed here with a reason."""
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../monitor/mpi"))
from mpi_header import prototypes  # noqa: E402

NOT_CALLED = {  # pattern: reason
    r"MPI_(DUP|NULL_COPY|NULL_DELETE)_FN|MPI_(COMM|TYPE|WIN)_\w+_FN|MPI_CONVERSION_FN_NULL": "callbacks, not calls",
    r"MPI_File_(c2f|f2c)": "passes through, not measured; files.c calls it",
    r"MPI_Abort": "never returns; `errors NOTES abort` calls it",
    r"MPI_Comm_join": "needs processes that MPI does not connect yet; else as MPI_Comm_connect",
    r"MPI_(Close_port|Comm_accept|Comm_connect|Publish_name|Unpublish_name|Lookup_name)": "MPICH of Debian opens no port",
    r"MPI_Status_(c2f08|f082c|f082f|f2f08)": "in MPICH's library for Fortran alone",
    r"MPIX_Comm_(agree|shrink|revoke|failure_\w+)": "MPICH 4.0 of Debian ends the program there",
    r"MPI_T_event_\w+": "MPICH 4.0 has no events, and crashes when it is asked about one",
    r"MPI_T_(enum_get_item|pvar_(handle_alloc|handle_free|read|readreset|write|get_info))": "the library has no such object",
    r"MPI_T_category_get_(info|index|cvars|pvars|categories|events|num_events)": "the library has no categories",
    r"MPI_T_enum_get_info": "the library has no such object",
}


def coverage(mpicc, called):
    """(text for the log, functions that nobody called and that have no reason)."""
    declared = set(prototypes(mpicc))
    missing = declared - called
    excused = {name for name in missing if any(re.fullmatch(pattern, name) for pattern in NOT_CALLED)}
    return (f"{len(declared)} functions, {len(declared & called)} called, {len(excused)} not for a reason: "
            + " ".join(sorted(excused)), missing - excused)
