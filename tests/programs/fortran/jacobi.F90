! jacobi.F90: the twin of ../jacobi.c in Fortran, by the module mpi or, with -DF08, mpi_f08. Its procedures
! have the names of the functions there, and make the same calls in the same order; grids lie in columns,
! so what is a row there is a column here. The module holds the strip, the program runs it.
!
!   jacobi SIZE ITERATIONS [late|early]
module strips
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer, parameter :: real8 = kind(1d0), up_tag = 1, down_tag = 2, check_every = 100
  real(real8), parameter :: pi = 3.14159265358979323846_real8

  type :: strip
    integer :: size = 0, first = 0, rows = 0, above = 0, below = 0
    real(real8), pointer :: now(:, :) => null(), next(:, :) => null()
  end type

#ifdef F08
  type(MPI_Request) :: requests(2)
#else
  integer :: requests(2)
#endif

contains

  !> One row of the solution; `mode` is the share of the eigenvector that is left.
  subroutine solution_row(out, sine, row, mode)
    real(real8), intent(out) :: out(0:)
    real(real8), intent(in) :: sine(0:), mode
    integer, intent(in) :: row
    real(real8) :: h, x, y
    integer :: j
    h = 1 / real(ubound(sine, 1), real8)
    y = row * h
    do j = 0, ubound(sine, 1)
      x = j * h
      out(j) = x * x - y * y + mode * sine(j) * sine(row)
    end do
  end subroutine

  function make_sines(size) result(sine)
    integer, intent(in) :: size
    real(real8) :: sine(0:size + 1)
    integer :: i
    sine = [(sin(pi * i / (size + 1)), i = 0, size + 1)]
    sine(size + 1) = 0
  end function

  subroutine make_strip(s, size, rank, ranks, sine)
    type(strip), intent(out) :: s
    integer, intent(in) :: size, rank, ranks
    real(real8), intent(in) :: sine(0:)
    integer :: i
    s%size = size
    s%first = size * rank / ranks + 1
    s%rows = size * (rank + 1) / ranks + 1 - s%first
    s%above = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    s%below = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
    allocate (s%now(0:size + 1, 0:s%rows + 1), s%next(0:size + 1, 0:s%rows + 1))
    do i = 0, s%rows + 1
      call solution_row(s%now(:, i), sine, s%first - 1 + i, 1._real8)
    end do
    s%next = s%now
  end subroutine

  subroutine free_strip(s)
    type(strip), intent(inout) :: s
    deallocate (s%now, s%next)
  end subroutine

  subroutine relax_rows(s, from, to)
    type(strip), intent(in) :: s
    integer, intent(in) :: from, to
    integer :: i, j
    do i = from, to
      do j = 1, s%size
        s%next(j, i) = (s%now(j, i - 1) + s%now(j, i + 1) + s%now(j - 1, i) + s%now(j + 1, i)) / 4
      end do
    end do
  end subroutine

  subroutine send_edges(s)
    type(strip), intent(in) :: s
    call send_edge(1, s%above, up_tag, 1)
    call send_edge(s%rows, s%below, down_tag, 2)
  contains
    subroutine send_edge(row, to, tag, which)
      integer, intent(in) :: row, to, tag, which
      integer :: error
      call MPI_Isend(s%now(0, row), s%size + 2, MPI_DOUBLE_PRECISION, to, tag, MPI_COMM_WORLD, &
                     requests(which), error)
    end subroutine
  end subroutine

  subroutine receive_edges(s)
    type(strip), intent(in) :: s
    call receive_edge(0, s%above, down_tag)
    call receive_edge(s%rows + 1, s%below, up_tag)
  contains
    subroutine receive_edge(row, from, tag)
      integer, intent(in) :: row, from, tag
      integer :: error
      call MPI_Recv(s%now(0, row), s%size + 2, MPI_DOUBLE_PRECISION, from, tag, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, error)
    end subroutine
  end subroutine

  subroutine complete_sends
    integer :: error
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  end subroutine

  subroutine swap_grids(s)
    type(strip), intent(inout) :: s
    real(real8), pointer :: now(:, :)
    now => s%now
    s%now => s%next
    s%next => now
  end subroutine

  subroutine iterate_late(s)
    type(strip), intent(inout) :: s
    call relax_rows(s, 1, s%rows)
    call swap_grids(s)
    call send_edges(s)
    call receive_edges(s)
    call complete_sends
  end subroutine

  subroutine iterate_early(s)
    type(strip), intent(inout) :: s
    call send_edges(s)
    call relax_rows(s, 2, s%rows - 1)
    call receive_edges(s)
    call relax_rows(s, 1, 1)
    if (s%rows > 1) call relax_rows(s, s%rows, s%rows)
    call complete_sends
    call swap_grids(s)
  end subroutine

  !> Largest change of the last iteration over all ranks.
  real(real8) function change(s)
    type(strip), intent(in) :: s
    real(real8) :: largest
    integer :: error
    largest = maxval(abs(s%now(1:s%size, 1:s%rows) - s%next(1:s%size, 1:s%rows)))
    call MPI_Allreduce(largest, change, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
  end function

  real(real8) function solve(s, iterations, early)
    type(strip), intent(inout) :: s
    integer, intent(in) :: iterations
    logical, intent(in) :: early
    integer :: k
    solve = 0
    do k = 1, iterations
      if (early) then
        call iterate_early(s)
      else
        call iterate_late(s)
      end if
      if (mod(k, check_every) == 0 .or. k == iterations) solve = change(s)
    end do
  end function

  !> Largest distance from the known answer, on rank 0. The other grid is overwritten.
  real(real8) function check(s, sine, iterations)
    type(strip), intent(in) :: s
    real(real8), intent(in) :: sine(0:)
    integer, intent(in) :: iterations
    real(real8) :: largest
    integer :: i, error
    largest = 0
    do i = 1, s%rows
      call solution_row(s%next(:, i), sine, s%first - 1 + i, cos(pi / (s%size + 1))**iterations)
      largest = max(largest, maxval(abs(s%now(1:s%size, i) - s%next(1:s%size, i))))
    end do
    check = 0
    call MPI_Reduce(largest, check, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, error)
  end function
end module

program jacobi
  use strips
  implicit none
  integer :: rank, ranks, size, iterations, error
  logical :: early
  type(strip) :: s
  real(real8) :: last, distance
  real(real8), allocatable :: sine(:)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call read_arguments
  allocate (sine(0:size + 1))
  sine(:) = make_sines(size)
  call make_strip(s, size, rank, ranks, sine)
  last = solve(s, iterations, early)
  distance = check(s, sine, iterations)
  if (rank == 0) then
    print '(a,i0,a,i0,a,es19.12,a,es9.3,a,a)', 'jacobi: ', size, ' squared, ', iterations, &
      ' iterations: change ', last, ', error ', distance, ': ', merge('right', 'WRONG', distance < 1d-11)
  end if
  call free_strip(s)
  call MPI_Finalize(error)
contains
  subroutine read_arguments
    character(len=32) :: word
    call get_command_argument(1, word)
    read (word, *) size
    call get_command_argument(2, word)
    read (word, *) iterations
    call get_command_argument(3, word)
    early = word == 'early'
  end subroutine
end program
