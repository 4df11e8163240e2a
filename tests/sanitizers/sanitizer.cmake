# All that is andes built with a sanitizer, for ./setup sanitize. Programs that are measured are compiled as users
# compile them, without it.
if(ANDES_SANITIZER STREQUAL "address")
  set(sanitizers -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all)
  set(sanitizer_library libasan.so)
elseif(ANDES_SANITIZER STREQUAL "thread")
  set(sanitizers -fsanitize=thread)
  set(sanitizer_library libtsan.so)
else()
  message(FATAL_ERROR "ANDES_SANITIZER=${ANDES_SANITIZER}: no such sanitizer; give address or thread")
endif()
add_compile_options(${sanitizers} -fno-omit-frame-pointer)
add_link_options(${sanitizers})

# The sanitizer's library has to come before the C library in the order of symbols, or it does not see what the program
# allocates and locks. What libandes.so needs comes after what the program needs, but a library whose auxiliary filter
# it is comes right before libandes.so, which is preloaded. So the sanitizer is first in children, under launchers and
# beside other preloaded libraries, too, and andes knows nothing of it. The sanitizer in LD_PRELOAD would touch every
# place where an environment is made or compared.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=${sanitizer_library}
  OUTPUT_VARIABLE sanitizer_library OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(REAL_PATH ${sanitizer_library} sanitizer_library)
set(ANDES_PRELOADED_OPTIONS -Wl,--auxiliary=${sanitizer_library})
