/* Calls of MPI by functions that were looked up in the handle of the library, as ctypes and Julia do; the program is not linked
 * with it. Arguments: the library; a wrapper library, or -: a module that defines MPI_Barrier and looks up the real one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;

static void *need(void *handle, const char *name) {
  void *found = dlsym(handle, name);
  const char *error = dlerror();
  if (found && !error) return found;
  printf("%s: %s\n", name, error ? error : "null");
  exit(1);
}

int main(int argc, char **argv) {
  int (*init)(int *, char ***), (*barrier)(void *), (*rank)(void *, int *), (*finalize)(void), mine = -1, i;
  void *world, *wrapper;
  if (argc < 3) return 2;
  library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) return puts(dlerror()), 1;
  world = dlsym(library, "ompi_mpi_comm_world"); /* Open MPI's handle is its address, MPICH's a number */
  if (!world) world = (void *)0x44000000;
  dlerror();
  init = (int (*)(int *, char ***))need(library, "MPI_Init");
  barrier = (int (*)(void *))need(library, "MPI_Barrier");
  rank = (int (*)(void *, int *))need(library, "MPI_Comm_rank");
  finalize = (int (*)(void))need(library, "MPI_Finalize");
  if (dlsym(library, "MPI_No_such_function") || !dlerror()) return puts("found what is not there"), 1;
  init(NULL, NULL);
  rank(world, &mine);
  for (i = 0; i < 5; ++i) barrier(world);
  if (strcmp(argv[2], "-") != 0) {
    void (*set)(void *);
    int (*wrapped)(void *);
    wrapper = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    if (!wrapper) return puts(dlerror()), 1;
    set = (void (*)(void *))need(wrapper, "set_library");
    wrapped = (int (*)(void *))need(wrapper, "MPI_Barrier");
    set(library);
    for (i = 0; i < 3; ++i) wrapped(world);
    printf("wrapped: %d\n", *(int *)need(wrapper, "wrapped_calls"));
  }
  finalize();
  if (mine == 0) puts("looked up: done");
  return 0;
}
