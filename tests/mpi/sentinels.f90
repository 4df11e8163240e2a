! sentinels.f90: constants of MPI that stand for no argument, which a wrapper must hand on as they are: each is
! used once, on each rank of two. Lines that end in !mpif, !mpi or !f08 belong to that binding, as in fortran.f90.
program sentinels
  use mpi                                                               !mpi
  use mpi_f08                                                           !f08
  implicit none
  include 'mpif.h'                                                      !mpif
  integer :: type, types(2), comm, request, win, status(MPI_STATUS_SIZE) !mpif
  type(MPI_Datatype) :: type, types(2)                                  !f08
  type(MPI_Comm) :: comm                                                !f08
  type(MPI_Request) :: request                                          !f08
  type(MPI_Win) :: win                                                  !f08
  type(MPI_Status) :: status                                            !f08
  integer :: rank, error, other, neighbours(1), flags(2), in, out, ones(2) = 1, displs(2) = (/0, 4/)
  integer :: values(4), sums(4)
  integer(kind=MPI_ADDRESS_KIND) :: places(1)
  logical :: weighted
  call MPI_INIT(error)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
  other = 1 - rank
  ! MPI_IN_PLACE in the place of either buffer
  values = rank + 1
  call MPI_ALLREDUCE(MPI_IN_PLACE, values, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (any(values /= 3)) print *, 'wrong sum in place'
  values = 0
  values(rank + 1) = rank + 7
  call MPI_ALLGATHER(MPI_IN_PLACE, 0, MPI_INTEGER, values, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  if (any(values(1:2) /= (/7, 8/))) print *, 'wrong gather in place'
  call MPI_IALLREDUCE(MPI_IN_PLACE, values, 2, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, error)
  call MPI_WAIT(request, MPI_STATUS_IGNORE, error)
  values = (/10 * rank, 10 * rank + 1, 0, 0/)
  types = MPI_INTEGER
  call MPI_ALLTOALLW(values, ones, displs, types, sums, ones, displs, types, MPI_COMM_WORLD, error)
  if (any(sums(1:2) /= (/rank, 10 + rank/))) print *, 'wrong exchange'
  call MPI_ALLTOALLW(MPI_IN_PLACE, ones, displs, types, values, ones, displs, types, MPI_COMM_WORLD, error)
  if (any(values(1:2) /= (/rank, 10 + rank/))) print *, 'wrong exchange in place'
  ! MPI_BOTTOM with a type of absolute addresses
  values = 10 + rank
  sums = 0
  call MPI_GET_ADDRESS(values, places(1), error)
  flags = 4
  call MPI_TYPE_CREATE_HINDEXED(1, flags, places, MPI_INTEGER, type, error)
  call MPI_TYPE_COMMIT(type, error)
  call MPI_SENDRECV(MPI_BOTTOM, 1, type, other, 1, sums, 4, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, error)
  if (any(sums /= 10 + other)) print *, 'wrong values from the bottom'
  call MPI_BCAST(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD, error)
  call MPI_GET_ADDRESS(values, places(1), error) ! and values may have changed
  if (any(values /= 10)) print *, 'wrong broadcast to the bottom'
  call MPI_TYPE_FREE(type, error)
  ! MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY
  neighbours = other
  call MPI_DIST_GRAPH_CREATE_ADJACENT(MPI_COMM_WORLD, 1, neighbours, MPI_UNWEIGHTED, 1, neighbours, &
                                      MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm, error)
  call MPI_DIST_GRAPH_NEIGHBORS_COUNT(comm, in, out, weighted, error)
  if (in /= 1 .or. out /= 1 .or. weighted) print *, 'wrong graph', in, out, weighted
  call MPI_NEIGHBOR_ALLGATHER(rank, 1, MPI_INTEGER, values, 1, MPI_INTEGER, comm, error)
  if (values(1) /= other) print *, 'wrong neighbour'
  places = 0
  types = MPI_INTEGER
  values = 0
  sums = rank + 5
  call MPI_NEIGHBOR_ALLTOALLW(sums, ones, places, types, values, ones, places, types, comm, error)
  if (values(1) /= other + 5) print *, 'wrong neighbour of many types'
  call MPI_COMM_FREE(comm, error)
  call MPI_DIST_GRAPH_CREATE_ADJACENT(MPI_COMM_WORLD, 0, neighbours, MPI_WEIGHTS_EMPTY, 0, neighbours, &
                                      MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., comm, error)
  call MPI_DIST_GRAPH_NEIGHBORS_COUNT(comm, in, out, weighted, error)
  if (in /= 0 .or. out /= 0 .or. .not. weighted) print *, 'wrong empty graph', in, out, weighted
  call MPI_COMM_FREE(comm, error)
  ! one-sided, by a fence and by a lock
  values = 0
  sums = rank + 1
  places(1) = 16
  call MPI_WIN_CREATE(values, places(1), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, error)
  call MPI_WIN_FENCE(0, win, error)
  places(1) = 0
  call MPI_PUT(sums, 2, MPI_INTEGER, other, places(1), 2, MPI_INTEGER, win, error)
  call MPI_WIN_FENCE(0, win, error)
  if (any(values(1:2) /= other + 1)) print *, 'wrong put'
  call MPI_WIN_LOCK(MPI_LOCK_SHARED, other, 0, win, error)
  call MPI_GET(sums, 1, MPI_INTEGER, other, places(1), 1, MPI_INTEGER, win, error)
  call MPI_WIN_UNLOCK(other, win, error)
  if (sums(1) /= rank + 1) print *, 'wrong get'
  call MPI_WIN_FREE(win, error)
  ! MPI_ARGV_NULL and MPI_ERRCODES_IGNORE: of a spawn that cannot be
  call MPI_COMM_SET_ERRHANDLER(MPI_COMM_SELF, MPI_ERRORS_RETURN, error)
  call MPI_COMM_SPAWN('/does/not/exist', MPI_ARGV_NULL, 0, MPI_INFO_NULL, 7, MPI_COMM_SELF, comm, &
                      MPI_ERRCODES_IGNORE, error)
  if (error == MPI_SUCCESS) print *, 'wrong spawn'
  print *, 'rank', rank, 'is done'
  call MPI_FINALIZE(error)
end program
