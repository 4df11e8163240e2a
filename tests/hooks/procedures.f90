module solver
  implicit none
contains
  subroutine run(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      call step(i)
      call inner()
    end do
  contains
    subroutine inner()
      if (n < 0) print *, n
    end subroutine
  end subroutine
  recursive subroutine step(i)
    integer, intent(in) :: i
    if (i > 3) call step(i - 1)
  end subroutine
end module

program demo
  use solver
  implicit none
  call run(4)
  call outside()
end program

subroutine outside()
  print '(a)', 'done'
end subroutine
