! errors.f90: rank 1 of two sends to a rank that does not exist; before, it asks for the handler.
program errors
  use mpi
  implicit none
  integer :: rank, handler, error
  character :: buffer
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (rank == 1) then
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, handler, error)
    if (handler == MPI_ERRORS_ARE_FATAL) print '(a)', 'fatal'
    flush(6)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
    call MPI_Send(buffer, 1, MPI_CHARACTER, 99, 7, MPI_COMM_WORLD, error)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, error)
    call MPI_Send(buffer, 1, MPI_CHARACTER, 99, 7, MPI_COMM_WORLD, error)
  end if
  call sleep(20)
  call MPI_Finalize(error)
end program
