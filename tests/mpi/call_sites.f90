! MPI_Send from two lines of a module's procedure, mpif.h's way.
module halo
contains
  subroutine exchange(rank, a)
    include 'mpif.h'
    integer :: rank, a, e
    if (rank == 0) then
      call mpi_send(a, 1, mpi_integer, 1, 7, mpi_comm_world, e)
      call mpi_send(a, 1, mpi_integer, 1, 7, mpi_comm_world, e)
    else
      call mpi_recv(a, 1, mpi_integer, 0, 7, mpi_comm_world, mpi_status_ignore, e)
      call mpi_recv(a, 1, mpi_integer, 0, 7, mpi_comm_world, mpi_status_ignore, e)
    end if
    a = a + e + 1
  end subroutine
end module
program sites
  use halo
  include 'mpif.h'
  integer :: e, rank, a = 0
  call mpi_init(e)
  call mpi_comm_rank(mpi_comm_world, rank, e)
  call exchange(rank, a)
  call mpi_finalize(e)
end program
