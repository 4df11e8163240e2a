# The cost of tiny functions under --select default; programs are built by the bench itself.
if(TARGET andes-preprocess)
  configure_file(bench_choice.py.in bench_choice @ONLY FILE_PERMISSIONS ${bench_mode})
endif()
