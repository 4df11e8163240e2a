# The cost of tiny functions under --select default; programs are built by the bench itself.
if(TARGET andes-preprocess)
  configure_file(bench_tiny_select.py.in bench_tiny_select @ONLY FILE_PERMISSIONS ${bench_mode})
endif()
