! andes.f90: the Fortran module for marks in a program: regions, phases, values, on and off.
! docs/interface.md. It is compiled with the program, since every compiler has its own module format; there
! is nothing to link. The monitor is looked up at run time: without one a call costs a load and a branch.
!
! Invariants:
!  - andes_monitor here is struct andes_monitor of probe.h; another version counts as no monitor;
!  - names have any length; trailing blanks are not part of them.
module andes
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: andes_begin, andes_end, andes_phase_begin, andes_phase_end, andes_value
  public :: andes_on, andes_off, andes_is_on, andes_snapshot

  !> The number of the step, of either integer kind; without one steps are counted.
  interface andes_phase_begin
    module procedure phase_begin_counted, phase_begin_number, phase_begin_long_number
  end interface

  !> Single or double precision.
  interface andes_value
    module procedure value_double, value_single
  end interface

  integer(c_int32_t), parameter :: probe_version = 5
  integer(c_int32_t), parameter :: kind_block = 2, kind_phase = 6, kind_value = 15
  integer, parameter :: not_looked = 0, is_absent = 1, is_present = 2

  type, bind(C) :: andes_monitor
    integer(c_int32_t) :: version, reserved
    type(c_funptr) :: enter, leave, site, enter_phase, begin, end, value, control, is_on
  end type

  abstract interface
    function site_function(name, length, kind) bind(C) result(site)
      import :: c_ptr, c_char, c_intptr_t, c_int32_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_intptr_t), value :: length
      integer(c_int32_t), value :: kind
      type(c_ptr) :: site
    end function
    subroutine begin_function(site, number, stack, caller) bind(C)
      import :: c_ptr, c_intptr_t
      type(c_ptr), value :: site, number
      integer(c_intptr_t), value :: stack, caller
    end subroutine
    subroutine end_function(site, stack, caller) bind(C)
      import :: c_ptr, c_intptr_t
      type(c_ptr), value :: site
      integer(c_intptr_t), value :: stack, caller
    end subroutine
    subroutine value_function(site, value) bind(C)
      import :: c_ptr, c_double
      type(c_ptr), value :: site
      real(c_double), value :: value
    end subroutine
    subroutine control_function(level) bind(C)
      import :: c_int
      integer(c_int), value :: level
    end subroutine
    function is_on_function() bind(C) result(on)
      import :: c_int
      integer(c_int) :: on
    end function
  end interface

  interface
    function dlsym(handle, name) bind(C, name="dlsym") result(address)
      import :: c_ptr, c_char
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: address
    end function
  end interface

  integer, volatile :: looked = not_looked
  procedure(site_function), pointer :: site_of => null()
  procedure(begin_function), pointer :: begin_visit => null()
  procedure(end_function), pointer :: end_visit => null()
  procedure(value_function), pointer :: attach_value => null()
  procedure(control_function), pointer :: control => null()
  procedure(is_on_function), pointer :: ask_is_on => null()

contains

  logical function is_there()
    if (looked == not_looked) call look
    is_there = looked == is_present
  end function

  !> Several threads may run this at once: they find the same monitor.
  subroutine look
    type(c_ptr) :: address
    type(andes_monitor), pointer :: monitor
    address = dlsym(c_null_ptr, "andes_monitor" // c_null_char)
    if (.not. c_associated(address)) then
      looked = is_absent
      return
    end if
    call c_f_pointer(address, monitor)
    if (monitor%version /= probe_version) then
      looked = is_absent
      return
    end if
    call c_f_procpointer(monitor%site, site_of)
    call c_f_procpointer(monitor%begin, begin_visit)
    call c_f_procpointer(monitor%end, end_visit)
    call c_f_procpointer(monitor%value, attach_value)
    call c_f_procpointer(monitor%control, control)
    call c_f_procpointer(monitor%is_on, ask_is_on)
    looked = is_present
  end subroutine

  function site(name, kind)
    character(*), intent(in) :: name
    integer(c_int32_t), intent(in) :: kind
    type(c_ptr) :: site
    site = site_of(name, int(len_trim(name), c_intptr_t), kind)
  end function

  subroutine begin_region(name, kind, number)
    character(*), intent(in) :: name
    integer(c_int32_t), intent(in) :: kind
    integer(c_long_long), intent(in), optional, target :: number
    type(c_ptr) :: known, step
    step = c_null_ptr
    if (present(number)) step = c_loc(number)
    known = site(name, kind)
    if (c_associated(known)) call begin_visit(known, step, 0_c_intptr_t, 0_c_intptr_t)
  end subroutine

  subroutine end_region(name, kind)
    character(*), intent(in) :: name
    integer(c_int32_t), intent(in) :: kind
    type(c_ptr) :: known
    known = site(name, kind)
    if (c_associated(known)) call end_visit(known, 0_c_intptr_t, 0_c_intptr_t)
  end subroutine

  !> Begins a region; it ends with andes_end, or with the region it was begun in.
  subroutine andes_begin(name)
    character(*), intent(in) :: name
    if (is_there()) call begin_region(name, kind_block)
  end subroutine

  subroutine andes_end(name)
    character(*), intent(in) :: name
    if (is_there()) call end_region(name, kind_block)
  end subroutine

  subroutine phase_begin_counted(name)
    character(*), intent(in) :: name
    if (is_there()) call begin_region(name, kind_phase)
  end subroutine

  subroutine phase_begin_number(name, number)
    character(*), intent(in) :: name
    integer(c_int), intent(in) :: number
    if (is_there()) call begin_region(name, kind_phase, int(number, c_long_long))
  end subroutine

  subroutine phase_begin_long_number(name, number)
    character(*), intent(in) :: name
    integer(c_long_long), intent(in) :: number
    if (is_there()) call begin_region(name, kind_phase, number)
  end subroutine

  !> Ends the step of this phase, or, without a name, of the innermost one.
  subroutine andes_phase_end(name)
    character(*), intent(in), optional :: name
    if (.not. is_there()) return
    if (present(name)) then
      call end_region(name, kind_phase)
    else
      call end_visit(c_null_ptr, 0_c_intptr_t, 0_c_intptr_t)
    end if
  end subroutine

  !> Attaches a value to the innermost region.
  subroutine value_double(name, number)
    character(*), intent(in) :: name
    real(c_double), intent(in) :: number
    type(c_ptr) :: known
    if (.not. is_there()) return
    known = site(name, kind_value)
    if (c_associated(known)) call attach_value(known, number)
  end subroutine

  subroutine value_single(name, number)
    character(*), intent(in) :: name
    real(c_float), intent(in) :: number
    if (is_there()) call value_double(name, real(number, c_double))
  end subroutine

  subroutine andes_on
    if (is_there()) call control(1_c_int)
  end subroutine

  subroutine andes_off
    if (is_there()) call control(0_c_int)
  end subroutine

  logical function andes_is_on()
    andes_is_on = .false.
    if (is_there()) andes_is_on = ask_is_on() /= 0
  end function

  subroutine andes_snapshot
    if (is_there()) call control(2_c_int)
  end subroutine
end module andes
