// Environment: the variables that a measured command gets in its environment, and those that it must not get.
//
//   LD_PRELOAD     the monitor, before what is preloaded already
//   ANDES_OUT      absolute name of the run file; % patterns as in naming.h
//   ANDES_<KEY>    every setting that is not the default; no other ANDES_ variable but ANDES_LIB,
//                  ANDES_JOB (name of the run, which its arenas lie under) and
//   ANDES_PID      the process to measure even if it never calls MPI (set at its start)
//   OMP_NUM_THREADS  with --threads: how many threads a rank's teams have
#pragma once
#include <string>
#include <vector>

#include "common/settings.h"
#include "postproc/launch/installation.h"

namespace andes::postproc {

inline constexpr const char* threads_variable = "OMP_NUM_THREADS";

/// Variables that turn the monitor on, "NAME=VALUE".
std::vector<std::string> monitor_variables(const Installation& installation, const std::string& output,
                                           const Settings& said);

/// This process's environment without any ANDES_ variable, with `variables` put in.
std::vector<std::string> environment_with(const std::vector<std::string>& variables);

} // namespace andes::postproc
