/* interfaces.c: calls Fortran entry points of the MPI library by name, each with pointers to zeroes: a
 * file names them, each with the number of its arguments and, of communicators, the handle of the
 * world. Between MPI_Init and MPI_Finalize (the first and
 * the last line) no PMPI_ function does anything (test_interfaces.py makes a library of stubs), so what is
 * left of a call is its way: through the Fortran layer and, if the layer calls them, the C functions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stubs_switch(int on); /* of the stubs */
enum { most = 20, room = 4096 };
typedef double Entry(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*,
                     void*, void*, void*, void*, void*, void*, void*, void*);

int main(int count, char** words) {
  static char arguments[most][room];
  char name[128], kinds[64];
  int lines = 0, calls = 0;
  int world, errors_return; /* handles in Fortran */
  FILE* file = count == 4 ? fopen(words[1], "r") : NULL;
  if (!file) return 2;
  world = (int)strtol(words[2], NULL, 0);
  errors_return = (int)strtol(words[3], NULL, 0);
  while (fscanf(file, "%127s %63s", name, kinds) == 2) lines++;
  rewind(file);
  while (fscanf(file, "%127s %63s", name, kinds) == 2) {
    void* a[most] = {0}; /* behind the arguments: lengths of strings */
    Entry* entry = (Entry*)dlsym(RTLD_DEFAULT, name);
    if (!entry || strlen(kinds) > most) return 3;
    for (size_t i = 0; i < strlen(kinds); i++) {
      a[i] = memset(arguments[i], 0, room);
      if (kinds[i] == 'c') memcpy(a[i], &world, sizeof world);
      if (kinds[i] == 'e') memcpy(a[i], &errors_return, sizeof errors_return);
      if (kinds[i] == '1') arguments[i][0] = 1;
    }
    stubs_switch(++calls > 2 && calls != lines);
    entry(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14],
          a[15], a[16], a[17], a[18], a[19]);
  }
  fclose(file);
  return 0;
}
