"""The PMPI counter beside andes: writes its wrappers from mpi.h, builds it, and reads what it and a run file have
counted: {(function, number): sum over all processes}."""
import collections
import glob
import os
import subprocess
import sys

from support.build import SOURCE
from support.run_file import RunFile, are_visits_estimated

sys.path.insert(0, os.path.join(SOURCE, "monitor", "mpi"))
from mpi_header import named, parameter_name, prototypes

HERE = os.path.dirname(os.path.abspath(__file__))
NUMBERS = ("visits", "messages_sent", "bytes_sent", "messages_received", "bytes_received")

SENDS = ("Send", "Bsend", "Ssend", "Rsend")
COLLECTIVES = ("bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall", "alltoallv",
               "alltoallw", "reduce", "allreduce", "scan", "exscan", "reduce_scatter", "reduce_scatter_block",
               "neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv",
               "neighbor_alltoallw")

# By function, without MPI_: what is counted after a call that has succeeded; {0}, {1} ... are its parameters.
AFTER = {
    **{form: "sent({1}, {2}, {3});" for send in SENDS for form in (send, "I" + send.lower())},
    **{send + "_init": "keep_send(*{6}, bytes({1}, {2}), {3});" for send in SENDS},
    "Psend_init": "keep_send(*{8}, {1} * bytes({2}, {3}), {4});",
    "Irecv": "keep_receive(*{6}, false, {3});",
    "Imrecv": "keep_receive(*{4}, false);",
    "Recv_init": "keep_receive(*{6}, true, {3});",
    "Precv_init": "keep_receive(*{8}, true, {4});",
    "Isendrecv": "sent({1}, {2}, {3}); keep_receive(*{11}, false, {8});",
    "Isendrecv_replace": "sent({1}, {2}, {3}); keep_receive(*{8}, false, {5});",
    "Start": "started(*{0});",
    "Startall": "for (int i = 0; i < {0}; ++i) started({1}[i]);",
    "Put": "moved_with({3}, {{bytes({1}, {2}), 0}});",
    "Rput": "moved_with({3}, {{bytes({1}, {2}), 0}});",
    "Get": "moved_with({3}, {{0, bytes({1}, {2})}});",
    "Rget": "moved_with({3}, {{0, bytes({1}, {2})}});",
    "Accumulate": "moved_with({3}, {{bytes({1}, {2}), 0}});",
    "Raccumulate": "moved_with({3}, {{bytes({1}, {2}), 0}});",
    "Get_accumulate": "moved_with({6}, {{{10} == MPI_NO_OP ? 0 : bytes({1}, {2}), bytes({4}, {5})}});",
    "Rget_accumulate": "moved_with({6}, {{{10} == MPI_NO_OP ? 0 : bytes({1}, {2}), bytes({4}, {5})}});",
    "Fetch_and_op": "moved_with({3}, {{{5} == MPI_NO_OP ? 0 : bytes(1, {2}), bytes(1, {2})}});",
    "Compare_and_swap": "moved_with({4}, {{bytes(1, {3}), bytes(1, {3})}});",
}

# Functions whose status or requests are looked at: a number of requests, the requests, the statuses, and their number;
# what completes.
STATUS = {"Recv": 6, "Mrecv": 4, "Sendrecv": 11, "Sendrecv_replace": 8}  # the parameter that is the status
SENDS_TOO = ("Sendrecv", "Sendrecv_replace")
COMPLETE = {
    "Wait": ("1", "{0}", "{1}", "1", "c_.done(0, 0, result_);"),
    "Test": ("1", "{0}", "{2}", "1", "if (*{1}) c_.done(0, 0, result_);"),
    "Waitany": ("{0}", "{1}", "{3}", "1", "if (*{2} != MPI_UNDEFINED) c_.done(*{2}, 0, result_);"),
    "Testany": ("{0}", "{1}", "{4}", "1", "if (*{3} && *{2} != MPI_UNDEFINED) c_.done(*{2}, 0, result_);"),
    "Waitall": ("{0}", "{1}", "{2}", "{0}", "for (int i = 0; i < {0}; ++i) c_.done(i, i, result_);"),
    "Testall": ("{0}", "{1}", "{3}", "{0}", "if (*{2}) for (int i = 0; i < {0}; ++i) c_.done(i, i, result_);"),
    "Waitsome": ("{0}", "{1}", "{4}", "{0}",
                 "if (*{2} != MPI_UNDEFINED) for (int i = 0; i < *{2}; ++i) c_.done({3}[i], i, result_);"),
    "Testsome": ("{0}", "{1}", "{4}", "{0}",
                 "if (*{2} != MPI_UNDEFINED) for (int i = 0; i < *{2}; ++i) c_.done({3}[i], i, result_);"),
}


def of_collective(name, parameters):
    """What a collective counts, or nothing."""
    plain = name.lower()
    for form, ending in (("%s", ""), ("i%s", ""), ("%s_init", "_init")):
        for collective in COLLECTIVES:
            if plain == form % collective:
                taken = len(parameters) - (0 if form == "%s" else 1 if form == "i%s" else 2)
                call = "%s(%s)" % (collective, ", ".join(parameters[:taken]))
                return "keep_collective(*%s, %s);" % (parameters[-1], call) if ending else "moved(%s);" % call
    return ""


def wrapper(name, result, declared):
    parameters = [parameter for parameter in declared if parameter != "..."]
    names = [parameter_name(parameter) for parameter in parameters]
    head = "%s %s(%s)" % (result, name, ", ".join(declared) or "void")
    arguments = list(names)
    plain = name.removeprefix("MPI_").removeprefix("MPIX_").removesuffix("_c")
    before, after, always = "", AFTER.get(plain, "") or of_collective(plain, names), ""
    after = after.format(*names) if plain in AFTER else after
    if plain in STATUS:
        status = names[STATUS[plain]]
        before = "MPI_Status own; MPI_Status *status_ = %s == MPI_STATUS_IGNORE ? &own : %s;" % (status, status)
        arguments[STATUS[plain]] = "status_"
        after = ("sent({1}, {2}, {3}); ".format(*names) if plain in SENDS_TOO else "") + "received(*status_);"
    elif plain in COMPLETE:
        number, of_requests, statuses, of_statuses, done = (text.format(*names) for text in COMPLETE[plain])
        before = "Completion c_(%s, %s, %s, %s);" % (number, of_requests, statuses, of_statuses)
        arguments[names.index(statuses)] = "c_.statuses"
        always = "if (result_ == MPI_SUCCESS || in_status(result_)) { %s }" % done
    elif plain == "Request_free":
        before = "MPI_Request freed = *%s;" % names[0]
        after = "drop(freed);"
    elif plain == "Finalize":
        before = "write();"
    call = "P%s(%s)" % (name, ", ".join(names))
    if result == "void":
        return "%s {\n  static const char name_[] = \"%s\";\n  counter::Call call_(name_);\n  %s;\n}\n" % (head, name, call)
    counted = "P%s(%s)" % (name, ", ".join(arguments))
    lines = ["%s {" % head, "  static const char name_[] = \"%s\";" % name, "  counter::Call call_(name_);",
             "  if (!call_.outer) return %s;" % call, "  " + before if before else "",
             "  %s result_ = %s;" % (result, counted),
             "  if (result_ == MPI_SUCCESS) { %s }" % after if after else "", "  " + always if always else "",
             "  return result_;", "}", ""]
    return "\n".join(line for line in lines if line or line == "")


def build(mpicc, folder):
    """The counter for this MPI as a library to preload."""
    source, library = os.path.join(folder, "counter.cc"), os.path.join(folder, "libcounter.so")
    functions = prototypes(mpicc)
    with open(source, "w", encoding="utf-8") as file:
        file.write('#include "counter.h"\nusing namespace counter;\nextern "C" {\n')
        for name, (result, parameters) in sorted(functions.items()):
            file.write(wrapper(name, result, parameters))
        file.write("}\n")
    mpicxx = mpicc.replace("mpicc", "mpicxx")
    subprocess.run([mpicxx, "-std=c++20", "-O1", "-w", "-fpermissive", "-shared", "-fPIC", "-DOMPI_SKIP_MPICXX",
                    "-DMPICH_SKIP_MPICXX", "-DOMPI_OMIT_MPI1_COMPAT_DECLS=0", "-DOMPI_REMOVED_USE_STATIC_ASSERT=0",
                    "-D__mpi_interface_removed__(a,b)=", "-I", HERE, source, "-o", library], check=True)
    return library


def read(folder):
    """Of what the counter has written."""
    found = collections.Counter()
    for path in glob.glob(os.path.join(folder, "[0-9]*")):
        with open(path, encoding="utf-8") as file:
            for line in file:
                name, *numbers = line.split()
                for number, value in zip(NUMBERS, numbers):
                    found[name, number] += int(value)
    return +found


def of_runs(paths):
    """Of run files; and the functions whose visits are estimated."""
    found, estimated = collections.Counter(), set()
    for path in paths:
        for region, metrics in RunFile(path).totals_by_region().items():
            if region.startswith(("MPI_", "MPIX_")):
                for number in NUMBERS:
                    found[region, number] += metrics.get(number, 0)
                if are_visits_estimated(metrics):
                    estimated.add(region)
    return +found, estimated
