/* Dynamic processes: children spawned once and in several kinds, ports, names, connections between two halves of
 * the world, and a socket joined. `dynamic NOTES spawn` spawns `dynamic NOTES child`; without: the rest. */
#include "observe.h"
#include <sys/socket.h>
#include <unistd.h>

static void talk(const char* what, MPI_Comm between) {
  int own = -1, other = -1, value = 100 + rank, got = -1, sum = -1;
  MPI_Status status = fresh_status();
  TRY(MPI_Comm_size, between, &own);
  TRY(MPI_Comm_remote_size, between, &other);
  say("%s: %d and %d", what, own, other);
  PMPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
  if (rank == 0) {
    TRY(MPI_Sendrecv, &value, 1, MPI_INT, 0, 5, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, between, &status);
    say_status("talk", &status, MPI_INT);
    say("got %d", got);
  }
  TRY(MPI_Allreduce, &value, &sum, 1, MPI_INT, MPI_SUM, between);
  say("sum %d", sum);
}

static int child(int argc, char** argv) {
  MPI_Comm parent, all;
  int together = -1;
  open_notes(argv[1], ".child");
  CALL(MPI_Init, &argc, &argv);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  TRY(MPI_Comm_get_parent, &parent);
  say("%s has a parent: %d", argv[argc - 1], parent != MPI_COMM_NULL);
  talk("parent", parent);
  TRY(MPI_Intercomm_merge, parent, 1, &all);
  TRY(MPI_Comm_size, all, &together);
  say("together %d", together);
  TRY(MPI_Comm_free, &all);
  TRY(MPI_Comm_disconnect, &parent);
  return finish();
}

static void spawn(char** argv) {
  char* arguments[] = {argv[1], (char*)"child", (char*)"first", NULL};
  char* other[] = {argv[1], (char*)"child", (char*)"second", NULL};
  char** several[2] = {arguments, other};
  char* commands[2] = {argv[0], argv[0]};
  const int counts[2] = {1, 1};
  MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
  int codes[2] = {-1, -1}, together = -1, round;
  for (round = 0; round < 2; round++) {
    MPI_Comm children = MPI_COMM_NULL, all;
    if (round == 0)
      TRY(MPI_Comm_spawn, argv[0], arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes);
    else
      TRY(MPI_Comm_spawn_multiple, 2, commands, several, counts, infos, 0, MPI_COMM_WORLD, &children, codes);
    say_numbers("codes", codes, 1 + round);
    if (children == MPI_COMM_NULL) continue; /* MPICH of Debian cannot */
    talk("children", children);
    TRY(MPI_Intercomm_merge, children, 0, &all);
    TRY(MPI_Comm_size, all, &together);
    say("together %d", together);
    TRY(MPI_Comm_free, &all);
    TRY(MPI_Comm_disconnect, &children);
  }
}

static void connect_halves(void) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm half, between;
  CALL(MPI_Comm_split, MPI_COMM_WORLD, rank == 0, rank, &half);
  if (rank == 0 && TRY(MPI_Open_port, MPI_INFO_NULL, port) != MPI_SUCCESS) port[0] = 0;
  CALL(MPI_Bcast, port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  CALL(MPI_Comm_free, &half);
  if (!port[0]) return; /* MPICH of Debian cannot, and crashes if it is asked for more */
  CALL(MPI_Comm_split, MPI_COMM_WORLD, rank == 0, rank, &half);
  if (rank == 0) TRY(MPI_Comm_accept, port, MPI_INFO_NULL, 0, half, &between);
  else TRY(MPI_Comm_connect, port, MPI_INFO_NULL, 0, half, &between);
  {
    int value = rank + 5, got = -1;
    if (rank < 2) TRY(MPI_Sendrecv, &value, 1, MPI_INT, 0, 3, &got, 1, MPI_INT, 0, 3, between, MPI_STATUS_IGNORE);
    say("got %d", got);
  }
  TRY(MPI_Comm_disconnect, &between);
  say("null: %d", between == MPI_COMM_NULL);
  if (rank == 0) TRY(MPI_Close_port, port);
  CALL(MPI_Comm_free, &half);
}

static void names(void) {
  char port[MPI_MAX_PORT_NAME] = "", found[MPI_MAX_PORT_NAME] = "";
  if (rank == 0) {
    if (PMPI_Open_port(MPI_INFO_NULL, port) != MPI_SUCCESS) return;
    if (TRY(MPI_Publish_name, "conformance", MPI_INFO_NULL, port) == MPI_SUCCESS) {
      TRY(MPI_Lookup_name, "conformance", MPI_INFO_NULL, found);
      say("found: %d", strcmp(port, found) == 0);
      TRY(MPI_Unpublish_name, "conformance", MPI_INFO_NULL, port);
    }
    TRY(MPI_Lookup_name, "nobody of this name", MPI_INFO_NULL, found);
    PMPI_Close_port(port);
  }
}

int main(int argc, char** argv) {
  MPI_Comm parent;
  if (argc > 2 && strcmp(argv[2], "child") == 0) return child(argc, argv);
  begin(argc, argv);
  TRY(MPI_Comm_get_parent, &parent);
  say("has a parent: %d", parent != MPI_COMM_NULL);
  if (argc > 2) spawn(argv);
  else {
    connect_halves();
    names();
  }
  return finish();
}
