! fortran.f90: two ranks exchange; test_fortran.py knows what each call must have counted. Lines
! that end in !mpif, !mpi or !f08 belong to that binding (!mpif declarations to the mpi module too).
program exchange
  use mpi                                                               !mpi
  use mpi_f08                                                           !f08
  implicit none
  include 'mpif.h'                                                      !mpif
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)      !mpif
  integer :: requests(2), half                                          !mpif
  type(MPI_Status) :: status, statuses(2)                               !f08
  type(MPI_Request) :: requests(2)                                      !f08
  type(MPI_Comm) :: half                                                !f08
  integer :: rank, size, error, index, length, other, counts(2), places(2)
  double precision :: a(100), b(300), start
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  logical :: flag
  call MPI_INIT(error)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, error)
  start = MPI_WTIME()
  other = 1 - rank
  a = rank
  ! several requests, with statuses
  call MPI_IRECV(b, 100, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(1), error)
  call MPI_ISEND(a, 50, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(2), error)
  call MPI_WAITALL(2, requests, statuses, error)
  if (requests(1) /= MPI_REQUEST_NULL) print *, 'wrong request'
  if (statuses(MPI_SOURCE, 1) /= other) print *, 'wrong source'         !mpif
  if (statuses(1)%MPI_SOURCE /= other) print *, 'wrong source'          !f08
  ! one of two, the status ignored
  call MPI_IRECV(b, 100, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, requests(1), error)
  call MPI_SEND(a, 20, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, error)
  call MPI_WAITANY(2, requests, index, MPI_STATUS_IGNORE, error)
  print *, 'index', index
  call MPI_TESTALL(2, requests, flag, MPI_STATUSES_IGNORE, error)
  if (.not. flag) print *, 'wrong flag'
  call MPI_SENDRECV(a, 3, MPI_INTEGER, other, 2, b, 9, MPI_INTEGER, other, 2, MPI_COMM_WORLD, &
                    status, error)
  ! blocking receive, by rank 0 first; small enough to be buffered
  call MPI_SEND(a, 20, MPI_DOUBLE_PRECISION, other, 3, MPI_COMM_WORLD, error)
  status(MPI_ERROR) = MPI_ERR_DIMS ! which MPI_RECV leaves as it is     !mpif
  status%MPI_ERROR = MPI_ERR_DIMS                                       !f08
  call MPI_RECV(b, 100, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, status, error)
  if (status(MPI_ERROR) /= MPI_ERR_DIMS) print *, 'wrong error'         !mpif
  if (status%MPI_ERROR /= MPI_ERR_DIMS) print *, 'wrong error'          !f08
  ! persistent
  call MPI_RECV_INIT(b, 50, MPI_DOUBLE_PRECISION, other, 4, MPI_COMM_WORLD, requests(1), error)
  call MPI_SEND_INIT(a, 50, MPI_DOUBLE_PRECISION, other, 4, MPI_COMM_WORLD, requests(2), error)
  call MPI_STARTALL(2, requests, error)
  call MPI_WAITALL(2, requests, MPI_STATUSES_IGNORE, error)
  if (requests(1) == MPI_REQUEST_NULL) print *, 'wrong persistent request'
  call MPI_REQUEST_FREE(requests(1), error)
  call MPI_REQUEST_FREE(requests(2), error)
  ! one that is completed by each of the other calls
  call MPI_IRECV(b, 5, MPI_INTEGER, other, 6, MPI_COMM_WORLD, requests(1), error)
  call MPI_SEND(a, 5, MPI_INTEGER, other, 6, MPI_COMM_WORLD, error)
  call MPI_WAITSOME(1, requests, length, counts, MPI_STATUSES_IGNORE, error)
  print *, 'some', length, counts(1)
  call MPI_IRECV(b, 5, MPI_INTEGER, other, 6, MPI_COMM_WORLD, requests(1), error)
  call MPI_SEND(a, 5, MPI_INTEGER, other, 6, MPI_COMM_WORLD, error)
  call MPI_WAIT(requests(1), status, error)
  if (requests(1) /= MPI_REQUEST_NULL) print *, 'wrong request after wait'
  call MPI_COMM_SPLIT(MPI_COMM_WORLD, 0, -rank, half, error)
  ! collectives
  b(1) = 1
  call MPI_ALLREDUCE(MPI_IN_PLACE, b, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  if (b(1) /= size) print *, 'wrong sum'
  call MPI_ALLREDUCE(a, b, 1, MPI_DOUBLE_PRECISION, MPI_SUM, half, error)
  if (b(1) /= 1) print *, 'wrong sum'
  call MPI_BCAST(b, 10, MPI_REAL, 0, MPI_COMM_WORLD, error)
  call MPI_GATHER(a, 1, MPI_DOUBLE_PRECISION, b, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
  call MPI_ALLGATHER(a, 1, MPI_DOUBLE_PRECISION, b, 1, MPI_DOUBLE_PRECISION, half, error)
  if (b(1) /= 1) print *, 'wrong gather'
  counts = 1
  places = (/0, 1/)
  call MPI_ALLTOALLV(a, counts, places, MPI_INTEGER, b, counts, places, MPI_INTEGER, &
                     MPI_COMM_WORLD, error)
  call MPI_COMM_FREE(half, error)
  call MPI_GET_PROCESSOR_NAME(name, length, error)
  if (len_trim(name) /= length) print *, 'wrong length'
  call MPI_BARRIER(MPI_COMM_WORLD, error)
  if (MPI_WTIME() < start) print *, 'wrong time'
  print *, 'rank', rank, 'is done'
  call MPI_FINALIZE(error)
end program exchange
