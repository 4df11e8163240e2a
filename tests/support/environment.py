"""Variables of the commands that tests run: those of the test itself, without settings of andes."""
import os

from support.build import BUILD

SANITIZED = bool({"ASAN_OPTIONS", "TSAN_OPTIONS"} & set(os.environ))  # by tests/sanitizers/suite.py
# Open MPI refuses root and more ranks than cores; what it binds to one core, others may be bound to. Its ranks wait 2 s in MPI_Finalize
# for mpirun's answer, and mpirun then says that they ended without MPI_Finalize: on a busy machine that happens (openpmix pull request 3650).
OF_OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
               "OMPI_MCA_orte_allowed_exit_without_sync": "1"}


# Begins a command that may mount, unseen by others.
WITH_OWN_MOUNTS = ["unshare", "-m" if os.geteuid() == 0 else "-rm"]


def without_settings(*prefixes):
    """No settings of andes, no monitor preloaded, no variables that begin with one of `prefixes`."""
    return {name: text for name, text in os.environ.items()
            if not name.startswith(("ANDES_", *prefixes)) and name != "LD_PRELOAD"}


def environment(**more):
    """For commands that start ranks: of settings only the place of arenas, and the `andes` under test in PATH."""
    variables = {**without_settings(), **OF_OPEN_MPI}
    if "ANDES_ARENA" in os.environ:
        variables["ANDES_ARENA"] = os.environ["ANDES_ARENA"]
    variables["PATH"] = os.path.join(BUILD, "bin") + ":" + variables["PATH"]
    return {**variables, **{name: str(text) for name, text in more.items()}}
