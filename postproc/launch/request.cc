// Contradictions in a request, each with its remedy.
#include "postproc/launch/request.h"

#include <algorithm>

#include "common/message.h"
#include "postproc/launch/count_list.h"
#include "postproc/launch/environment.h"

namespace andes::postproc {
namespace {

/// The command must not take the number of threads back that --threads gives it.
void check_threads(const Request& request) {
  const bool with_t = mentions(request.command, threads_word);
  if (with_t && request.threads.empty())
    refuse("run", "the command has {t} but there is no --threads", "add for example --threads 1,2,4");
  if (request.threads.empty()) return;
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

} // namespace

void check_request(const Request& request) {
  if (request.command.empty())
    refuse("run", "no command", "write it after --: andes run --ranks 1,2,4 -- mpirun -n {p} ./a.out");
  const bool with_p = mentions(request.command, ranks_word);
  if (with_p && request.ranks.empty())
    refuse("run", "the command has {p} but there is no --ranks", "add for example --ranks 1,2,4");
  if (!with_p && !request.ranks.empty())
    refuse("run", "there is --ranks but the command has no {p}",
           "write it where the number of ranks belongs: mpirun -n {p} ./a.out");
  check_threads(request);
  const std::size_t runs = std::max<std::size_t>(1, request.ranks.size()) *
                           std::max<std::size_t>(1, request.threads.size()) * static_cast<std::size_t>(request.repeats);
  if (!request.output.empty() && runs > 1)
    refuse(fmt::format("{} {}", request.output_by, request.output),
           fmt::format("names one run file but there are {} runs", runs),
           "remove it: the run files then go to a directory under runs");
  if (!request.output.empty() && !request.label.empty())
    refuse(fmt::format("--label {}", request.label),
           fmt::format("belongs to a directory's name, but {} names a file", request.output_by), "remove one of them");
}

} // namespace andes::postproc
