! The module in Fortran: with hooks or without, the same regions.
program named
  use :: andes
  implicit none
  integer :: i
  real :: sum
  character(len=40) :: name
  sum = 0
  do i = 1, 5
    call andes_phase_begin("time step")
    call andes_begin("assemble   ")
    sum = sum + 1.0 / i
    call andes_value("residual", sum)
    call andes_end("assemble")
    call andes_phase_end("time step")
  end do
  do i = 1, 4
    write (name, '(a, i0)') "case ", mod(i, 2)
    call andes_phase_begin("sweep", 7 * i)
    call andes_begin(name)
    call andes_end(name)
    call andes_phase_end
  end do
  call andes_off
  call andes_begin("unseen")
  call andes_end("unseen")
  call andes_on
  call andes_end("never begun")
  print '(f8.5)', sum
end program
