// Command lines and short texts of andes run: rank lists, patterns of names, labels, launchers' command
// lines.
#include "tests/fuzz/targets/input.h"

#include "postproc/launch/launcher.h"
#include "common/message.h"
#include "postproc/launch/naming.h"
#include "postproc/launch/count_list.h"

namespace {

using namespace andes;
using namespace andes::postproc;
using fuzz::Input;

void ranks(const std::string& text) {
  for (const int count : read_count_list(text, counted_ranks)) fuzz::require(count > 0, "counts are positive", text);
}

/// Of names that others give no part may lead out of the directory.
void output(Input& input) {
  const std::string job = input.ConsumeRandomLengthString(40);
  setenv("SLURM_JOB_ID", job.c_str(), 1);
  const std::string program = input.ConsumeRandomLengthString(40);
  const std::string name = expand_output("%x.%p.%j.%u.andes", program_name({{program}}));
  fuzz::require(name.find('/') == std::string::npos, "it stays in its directory", name);
  const std::string pattern = input.ConsumeRemainingBytesAsString();
  ranks_in_name(expand_output(pattern, "jacobi"), pattern);
}

void launched(const std::vector<std::string>& words) {
  if (words.empty()) return;
  const andes::postproc::Command command = read_command(words);
  fuzz::require(command.program < command.words.size(), "there is a program");
  fuzz::require(program_name(command).find('/') == std::string::npos, "a name without directory");
  ranks_asked(command);
  with_variables(command, {"ANDES_OUT=a", "LD_PRELOAD=b"}, "b");
}

void label(const std::string& text) {
  check_label(text);
  fuzz::require(text.find('/') == std::string::npos, "no way out", text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) try {
  Input input(bytes, size);
  switch (input.ConsumeIntegralInRange(0, 3)) {
  case 0: ranks(input.ConsumeRemainingBytesAsString()); break;
  case 1: output(input); break;
  case 2: launched(fuzz::words_of_rest(input)); break;
  case 3: label(input.ConsumeRemainingBytesAsString()); break;
  }
  return 0;
} catch (const andes::Refusal&) {
  return 0;
}
