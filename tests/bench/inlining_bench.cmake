# What the default selection does to the optimiser; programs are built by the bench itself.
if(TARGET andes-preprocess)
  configure_file(bench_inlining.py.in bench_inlining @ONLY FILE_PERMISSIONS ${bench_mode})
endif()
