// File names of the runs of a sweep: they sort as the sizes do, and tell them.
//
//   p4t2.1.andes                 ranks, threads, repeat
//   N=0500.file=a.dat.p04.1.andes   with axes: numbers padded with zeros to one length
#pragma once
#include <map>
#include <string>
#include <vector>

#include "postproc/launch/plan.h"
#include "postproc/launch/repeats.h"

namespace andes::postproc {

class FileNames {
public:
  FileNames(const std::vector<Size>& sizes, const Repeats& repeats);
  /// The name as a pattern for the monitor: %p stands for a number of ranks that is not known yet, %% for %.
  std::string pattern(const Size& size, int repeat) const;

private:
  std::map<AxisValue, std::string> parts_; // "N=0500"
  std::size_t ranks_digits_ = 1, threads_digits_ = 1, repeat_digits_ = 1;
};

} // namespace andes::postproc
