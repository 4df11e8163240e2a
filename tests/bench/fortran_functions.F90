! fortran_functions.F90: ten calls of procedures too small to matter. Compiled twice, with probes and without; KIND is
! the module, TEN the procedure that calls them.
module KIND
  implicit none
contains
  integer(8) function one(x)
    integer(8), value :: x
    one = x + 1
  end function
  integer(8) function two(x)
    integer(8), value :: x
    two = ieor(x, 2_8)
  end function
  integer(8) function three(x)
    integer(8), value :: x
    three = x + 3
  end function
  integer(8) function four(x)
    integer(8), value :: x
    four = ieor(x, 4_8)
  end function
  integer(8) function five(x)
    integer(8), value :: x
    five = x + 5
  end function
end module
subroutine TEN(x)
  use KIND
  integer(8), intent(inout) :: x
  x = one(x)
  x = two(x)
  x = three(x)
  x = four(x)
  x = five(x)
  x = one(x)
  x = two(x)
  x = three(x)
  x = four(x)
  x = x + 1
end subroutine
