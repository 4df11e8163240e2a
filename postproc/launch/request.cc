// Contradictions in a request, each with its remedy.
#include "postproc/launch/request.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "common/message.h"
#include "postproc/launch/count_list.h"
#include "postproc/launch/environment.h"

namespace andes::postproc {
namespace {

/// The command must not take the number of threads back that --threads gives it.
void check_threads(const Request& request) {
  const bool with_t = mentions(request.command, threads_word);
  if (with_t && request.sizes.threads.empty())
    refuse("run", "the command has {t} but there is no --threads", "add for example --threads 1,2,4");
  if (request.sizes.threads.empty()) return;
  for (std::size_t i = 0; i < request.command.size(); ++i) {
    const std::string& word = request.command[i];
    const std::string name = std::string(threads_variable) + "=";
    std::string value;
    if (const std::size_t at = word.find(name); at != std::string::npos) value = word.substr(at + name.size());
    else if (word == threads_variable && i > 0 && i + 1 < request.command.size() &&
             (request.command[i - 1] == "-genv" || request.command[i - 1] == "-env"))
      value = request.command[i + 1];
    if (!value.empty() && value.find(threads_word) == std::string::npos)
      refuse("run", fmt::format("--threads is given, but the command sets {} to {}", threads_variable, value),
             "write {t} there, or remove it");
  }
}

/// Every axis stands in the command, every name in the command is an axis, and the names of other options are.
void check_axes(const Request& request) {
  const SizeLists& sizes = request.sizes;
  std::vector<std::string> names;
  for (const AxisList& axis : sizes.axes) {
    if (std::find(names.begin(), names.end(), axis.name) != names.end())
      refuse(fmt::format("--vary {}", axis.name), "the axis is named twice", "give all its values in one list");
    names.push_back(axis.name);
  }
  const auto is_axis = [&names](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const std::vector<std::string> used = placeholders_in(request.command);
  for (const std::string& name : names)
    if (std::find(used.begin(), used.end(), name) == used.end())
      refuse("run", fmt::format("there is --vary {0} but the command has no {{{0}}}", name),
             "write it where the value belongs");
  for (const std::string& name : used)
    if (!names.empty() && name != "p" && name != "t" && !is_axis(name))
      refuse("run", fmt::format("the command has {{{0}}} but there is no --vary {0}", name),
             fmt::format("add --vary {}=VALUE,VALUE, or correct the name", name));
  for (const std::string& name : sizes.zipped)
    if (!is_axis(name) && !(name == "p" && !sizes.ranks.empty()) && !(name == "t" && !sizes.threads.empty()))
      refuse(fmt::format("--zip {}", fmt::join(sizes.zipped, ",")), fmt::format("there is no list {}", name),
             "name axes of --vary, p for --ranks, t for --threads");
  if (sizes.weak.empty()) return;
  if (!is_axis(sizes.weak))
    refuse(fmt::format("--weak {}", sizes.weak), "it is not an axis",
           sizes.weak.find('=') == std::string::npos
               ? fmt::format("add --vary {}=VALUE", sizes.weak)
               : fmt::format("give --vary {} --weak {}", sizes.weak, sizes.weak.substr(0, sizes.weak.find('='))));
  if (sizes.ranks.empty())
    refuse(fmt::format("--weak {}", sizes.weak), "the axis grows with the ranks, but there is no --ranks",
           "add for example --ranks 1,2,4");
}

} // namespace

void check_request(const Request& request) {
  if (request.command.empty())
    refuse("run", "no command", "write it after --: andes run --ranks 1,2,4 -- mpirun -n {p} ./a.out");
  const bool with_p = mentions(request.command, ranks_word);
  if (with_p && request.sizes.ranks.empty())
    refuse("run", "the command has {p} but there is no --ranks", "add for example --ranks 1,2,4");
  if (!with_p && !request.sizes.ranks.empty())
    refuse("run", "there is --ranks but the command has no {p}",
           "write it where the number of ranks belongs: mpirun -n {p} ./a.out");
  check_threads(request);
  check_axes(request);
  const std::size_t runs = sizes_of(request.sizes).size() * static_cast<std::size_t>(request.repeats.count);
  if (!request.output.empty() && runs > 1)
    refuse(fmt::format("{} {}", request.output_by, request.output),
           fmt::format("names one run file but there are {}{} runs", request.repeats.automatic ? "up to " : "", runs),
           "remove it: the run files then go to a directory under runs");
  if (!request.output.empty() && !request.label.empty())
    refuse(fmt::format("--label {}", request.label),
           fmt::format("belongs to a directory's name, but {} names a file", request.output_by), "remove one of them");
}

} // namespace andes::postproc
