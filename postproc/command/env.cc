// andes env: shell lines and the Slurm script. What it prints is standard output and can be
// evaluated: eval "$(andes env)". The script starts programs by `andes run -- srun`, which outlives the ranks at the
// time limit and makes the run file of what they have left; `srun andes exec` would leave arenas on nodes that are
// gone.
#include "postproc/command/env.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <memory>

#include "common/message.h"
#include "postproc/launch/count_list.h"
#include "postproc/launch/environment.h"
#include "postproc/launch/installation.h"
#include "postproc/launch/launcher.h"
#include "postproc/launch/naming.h"

namespace andes::postproc {
namespace {

struct Options {
  bool slurm = false;
  std::string config, ranks = "1,2,4,8,16", threads, repeat = "6", label;
  std::vector<std::string> set;
};

constexpr const char* default_pattern = "%x.%p.%u.andes";

void print_lines(const Installation& installation, const Settings& said) {
  const std::string out = value_of(said, "out");
  fmt::print("export LD_PRELOAD={}${{LD_PRELOAD:+:$LD_PRELOAD}}\n", shell_quoted(installation.library));
  fmt::print("export ANDES_OUT={}\n", shell_quoted(out.empty() ? default_pattern : out));
  for (const std::string& variable : settings_variables(said)) {
    const std::size_t equals = variable.find('=');
    fmt::print("export {}={}\n", variable.substr(0, equals), shell_quoted(variable.substr(equals + 1)));
  }
}

void print_slurm(const Installation& installation, const Settings& said, const Options& options,
                 const std::vector<std::string>& behind) {
  const std::vector<int> counts = read_count_list(options.ranks, counted_ranks);
  const std::vector<int> threads =
      options.threads.empty() ? std::vector<int>{} : read_count_list(options.threads, counted_threads);
  if (options.repeat.empty() || options.repeat.size() > 6 ||
      options.repeat.find_first_not_of("0123456789") != std::string::npos || std::stoi(options.repeat) < 1)
    refuse(fmt::format("--repeat {}", options.repeat), "not a number of runs", "give a whole number like 6");
  if (!options.label.empty()) check_label(options.label);
  const std::vector<std::string> command = behind.empty() ? std::vector<std::string>{"./a.out"} : behind;
  std::string program;
  for (const std::string& word : command) {
    // {p} and {t} become the loops' variables, outside the quotes of the rest.
    std::string quoted = substitute({shell_quoted(word)}, ranks_word, "'\"$p\"'")[0];
    if (!threads.empty()) quoted = substitute({quoted}, threads_word, "'\"$t\"'")[0];
    program += (program.empty() ? "" : " ") + quoted;
  }
  std::string name = program_name(read_command(command));
  for (char& c : name) // also for #SBATCH, where quoting is not the shell's
    if (!std::isalnum(static_cast<unsigned char>(c)) && !std::strchr("._-+", c)) c = '_';
  const std::string series = options.label.empty() ? name : name + "-" + options.label;
  fmt::print(R"(#!/bin/bash
#SBATCH --job-name=andes-{name}
#SBATCH --ntasks={most}
#SBATCH --cpus-per-task={cpus}
#SBATCH --time=01:00:00
#SBATCH --exclusive

# A sweep of {name} with andes: rank counts interleaved, so that a slow hour of the machine
# affects all sizes equally. Adapt the lines above; submit with sbatch.
andes={andes}
directory={series}"$SLURM_JOB_ID"
mkdir -p "$directory" || exit 2
)",
             fmt::arg("name", name), fmt::arg("series", shell_quoted("runs/" + series + "-")),
             fmt::arg("most", *std::max_element(counts.begin(), counts.end())),
             fmt::arg("cpus", threads.empty() ? 1 : *std::max_element(threads.begin(), threads.end())),
             fmt::arg("andes", shell_quoted(installation.command)));
  for (const std::string& variable : settings_variables(said)) {
    const std::size_t equals = variable.find('=');
    fmt::print("export {}={}\n", variable.substr(0, equals), shell_quoted(variable.substr(equals + 1)));
  }
  const std::string loop = threads.empty() ? R"(
    "$andes" run -o "$directory/p$p.$repeat.andes" -- srun --ntasks="$p" )" +
                                                 program + '\n'
                                           : fmt::format(R"(
    for t in {}; do
      "$andes" run --threads "$t" -o "$directory/p${{p}}t$t.$repeat.andes" -- \
        srun --ntasks="$p" --cpus-per-task="$t" {}
    done
)",
                                                         fmt::join(threads, " "), program);
  fmt::print(R"(
for repeat in $(seq 1 {repeat}); do
  for p in {counts}; do{loop}  done
done

"$andes" report "$directory"
)",
             fmt::arg("repeat", options.repeat), fmt::arg("counts", fmt::join(counts, " ")), fmt::arg("loop", loop));
}

int env(const CLI::App& command, const Options& options, const std::vector<std::string>& behind) {
  const Installation installation = find_installation();
  check_library(installation);
  const Settings said = gather_settings(options.set, environ, options.config);
  if (options.slurm) {
    print_slurm(installation, said, options, behind);
    return 0;
  }
  for (const char* option : {"--ranks", "--threads", "--repeat", "--label"})
    if (command.count(option)) refuse(option, "belongs to a job script", "add --slurm");
  if (!behind.empty()) refuse("env", "a command belongs to a job script", "add --slurm");
  print_lines(installation, said);
  return 0;
}

} // namespace

std::string shell_quoted(const std::string& text) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_@%+=:,./-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string result = "'";
  for (char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

void add_env(CLI::App& app, const std::vector<std::string>& behind, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("env", "Print the environment of a measured run, or a batch job script");
  command->footer("By hand:      eval \"$(andes env)\"; mpirun -n 4 ./a.out\n"
                  "Job script:   andes env --slurm --ranks 1,2,4,8 -- ./a.out ARGUMENTS > job.sh");
  command->add_flag("--slurm", options->slurm, "Print a complete job script for Slurm");
  command->add_option("--ranks", options->ranks, "Rank counts of the script (1,2,4,8,16)")->type_name("LIST");
  command->add_option("--threads", options->threads, "Threads per rank, run with every rank count")->type_name("LIST");
  command->add_option("--repeat", options->repeat, "Runs of each size (6)")->type_name("N");
  command->add_option("--label", options->label, "Word added to the directory's name")->type_name("WORD");
  command->add_option("--config", options->config, "Settings file")->type_name("FILE");
  command->add_option("--set", options->set, "One setting; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->callback([command, options, &behind, &status] { status = env(*command, *options, behind); });
}

} // namespace andes::postproc
