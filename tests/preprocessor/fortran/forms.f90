! forms.f90: every form of procedure, each called so often that test_fortran.py can tell by hand.
module shapes
  implicit none
  type :: circle
    real :: radius
  contains
    procedure :: area => circle_area
  end type
  type :: token
    integer :: uses = 0
  contains
    final :: forget
  end type
  interface total
    module procedure total_integers, total_reals
  end interface
  interface
    module function in_submodule(x) result(y)
      real, intent(in) :: x
      real :: y
    end function
  end interface
contains
  real function circle_area(this)
    class(circle), intent(in) :: this
    circle_area = 3 * this%radius**2
  end function

  integer function total_integers(values)
    integer, intent(in) :: values(:)
    total_integers = sum(values)
  end function

  real function total_reals(values)
    real, intent(in) :: values(:)
    real :: result
    call add
    call add
    total_reals = result / 2
  contains
    subroutine add
      result = 2 * sum(values)
    end subroutine
  end function

  elemental real function twice(x)
    real, intent(in) :: x
    twice = 2 * x
  end function

  pure real function half(x)
    real, intent(in) :: x
    half = x / 2
  end function

  recursive integer function factorial(n) result(f)
    integer, intent(in) :: n
    f = 1
    if (n > 1) f = n * factorial(n - 1)
  end function

  subroutine use_token
    class(token), allocatable :: one
    allocate(token :: one)
    one%uses = one%uses + 1
  end subroutine

  subroutine forget(this)
    type(token), intent(inout) :: this
    this%uses = 0
  end subroutine
end module

submodule (shapes) details
contains
  module procedure in_submodule
    y = x + 1
  end procedure
end submodule

subroutine first(x)
  real :: x
  call counted(x)
  return
  entry again(x)
  x = x + 1
  call counted(x)
end subroutine

subroutine counted(x)
  real :: x
  x = x + 1
end subroutine

subroutine for_c(x) bind(C, name="ForC")
  use iso_c_binding
  real(c_float) :: x
  x = x + 1
end subroutine

program forms
  use shapes
  implicit none
  interface
    subroutine for_c(x) bind(C, name="ForC")
      use iso_c_binding
      real(c_float) :: x
    end subroutine
  end interface
  type(circle) :: one
  real :: values(3), x
  integer :: i
  one%radius = 2
  values = twice((/1., 2., 3./))
  x = one%area() + total((/1, 2/)) + total(values)
  do i = 1, 4
    x = x + half(values(1 + mod(i, 3)))
  end do
  x = x + factorial(5) + in_submodule(1.0)
  call first(x)
  call again(x)
  call again(x)
  call for_c(x)
  call use_token
  call last
contains
  subroutine last
    print '(f8.3)', x
  end subroutine
end program
