# Probes in Fortran.
find_program(bench_gfortran gfortran)
if(TARGET andes_gcc AND bench_gfortran)
  configure_file(fortran.sh.in bench_fortran @ONLY FILE_PERMISSIONS ${bench_mode})
endif()
