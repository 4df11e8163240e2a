# The time of compilations through andes against that of plain ones.
if(TARGET andes-preprocess)
  configure_file(bench_compile.py.in bench_compile @ONLY FILE_PERMISSIONS ${bench_mode})
endif()
