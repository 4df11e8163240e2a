"""Facts about an MPI that generate.py gets from its compiler wrapper: the prototypes of its mpi.h, its
library, and how its Fortran layer calls the functions."""
import re
import subprocess
import sys


def without_attributes(text):
    while (start := text.find("__attribute__")) >= 0:
        depth, end = 0, text.index("(", start)
        while True:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        text = text[:start] + " " + text[end:]
    return text


def split_parameters(text):
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip() not in ("", "void")]


def named(parameter, name):
    """(declaration with `name`, type) of a parameter of a prototype."""
    match = re.fullmatch(r"(.*?[\s*])(\w+)((?:\s*\[\w*\])*)", parameter)
    if not match:
        sys.exit(f"mpi.h: cannot read the parameter: {parameter}")
    return f"{match[1]}{name or match[2]}{match[3]}", (match[1] + match[3]).replace(" ", "")


def parameter_name(parameter):
    return re.fullmatch(r".*?[\s*](\w+)(?:\s*\[\w*\])*", parameter)[1]


EXTENSIONS = "#if __has_include(<mpi-ext.h>)\n#include <mpi-ext.h>\n#endif\n"  # Open MPI's MPIX_


def prototypes(mpicc):
    """name -> (return type, [parameters]) of what mpi.h declares with MPI_ and with PMPI_."""
    source = "#include <mpi.h>\n" + EXTENSIONS
    command = [mpicc, "-E", "-P", "-x", "c", "-DOMPI_OMIT_MPI1_COMPAT_DECLS=0",
               "-DOMPI_REMOVED_USE_STATIC_ASSERT=0", "-D__mpi_interface_removed__(a,b)=",
               "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-"]
    text = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    text = without_attributes(" ".join(text.split()))
    pattern = (r"(?:^|[;}])\s*(?:extern\s+)?((?:const\s+)?[A-Za-z_]\w*(?:\s+\w+)*[\s*]+)"
               r"\b(P?MPIX?_\w+)\s*\(([^;{}]*)\)\s*;")
    found = {}
    for match in re.finditer(pattern, text.replace(";", ";;")):
        if "typedef" not in match[1]:
            found[match[2]] = (match[1].strip(), split_parameters(match[3]))
    # Without a PMPI_ name a wrapper has no function to call.
    return {name: found[name] for name in found if "P" + name in found}


PROBE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
int main(void) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  Dl_info info;
  struct link_map *map = 0;
  const ElfW(Dyn) * entry;
  const char *strings = "", *soname = "";
  MPI_Get_library_version(text, &length);
  if (!dladdr1((void *)PMPI_Init, &info, (void **)&map, RTLD_DL_LINKMAP) || !map->l_name[0])
    return 1;
  for (entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_STRTAB) strings = (const char *)entry->d_un.d_ptr;
  for (entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_SONAME) soname = strings + entry->d_un.d_val;
  printf("%s\n%s\n%.80s\n", soname, map->l_name, text);
  return 0;
}
"""
NAMES = {"Open MPI": "openmpi", "MPICH": "mpich", "Intel(R) MPI": "intelmpi",
         "MVAPICH": "mvapich"}


def describe_mpi(mpicc, directory):
    """(name, soname, library, include directory) of the MPI that `mpicc` links."""
    source, program = f"{directory}/probe.c", f"{directory}/probe"
    with open(source, "w", encoding="utf-8") as file:
        file.write(PROBE)
    # A program linked by mpicc shows which library it gets, and the library's own name for itself.
    built = subprocess.run([mpicc, "-fPIC", source, "-o", program, "-ldl"], capture_output=True,
                           text=True)
    if built.returncode:
        sys.exit(f"{mpicc}: cannot build a program: {built.stderr.strip()}")
    said = subprocess.run([program], capture_output=True, text=True)
    if said.returncode:
        sys.exit(f"{mpicc}: its MPI is not a shared library; only shared ones can be measured")
    soname, library, text = said.stdout.splitlines()[:3]
    name = next((name for start, name in NAMES.items() if text.startswith(start)),
                re.sub(r"\W+", "", text.split()[0].lower()))
    lines = subprocess.run([mpicc, "-E", "-x", "c", "-"], input="#include <mpi.h>\n",
                           capture_output=True, text=True, check=True).stdout
    include = re.search(r'^# \d+ "(.*)/mpi\.h"', lines, re.MULTILINE)[1]
    return name, soname, library, include


def fortran_layer(mpicc):
    """Which Fortran names need wrappers of their own: "all" where the Fortran layer calls PMPI_
    (Open MPI); "f08" where mpif.h and the mpi module reach the C functions and mpi_f08 does so
    only with choice buffers (MPICH and what derives from it)."""
    text = subprocess.run([mpicc, "-E", "-dM", "-x", "c", "-"], input="#include <mpi.h>\n",
                          capture_output=True, text=True, check=True).stdout
    if "#define OPEN_MPI " in text:
        return "all"
    return "f08" if "#define MPICH_VERSION" in text else ""
