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
#include "postproc/command/subcommand.h"
#include "postproc/launch/count_list.h"
#include "postproc/launch/environment.h"
#include "postproc/launch/installation.h"
#include "postproc/launch/launcher.h"
#include "postproc/launch/naming.h"
#include "postproc/launch/repeats.h"
#include "postproc/launch/shell_quoted.h"

namespace andes::postproc {
namespace {

struct EnvOptions {
  bool slurm = false;
  std::string config;
  std::optional<std::string> ranks, threads, repeat, label;
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

void print_slurm(const Installation& installation, const Settings& said, const EnvOptions& options,
                 const std::vector<std::string>& behind) {
  const std::vector<int> counts = read_count_list(options.ranks.value_or("1,2,4,8,16"), counted_ranks);
  const std::vector<int> threads =
      options.threads ? read_count_list(*options.threads, counted_threads) : std::vector<int>{};
  const int repeats = read_repeat_count(options.repeat.value_or("6"));
  if (options.label) check_label(*options.label);
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
  const std::string series = options.label ? name + "-" + *options.label : name;
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
             fmt::arg("repeat", repeats), fmt::arg("counts", fmt::join(counts, " ")), fmt::arg("loop", loop));
}

int env(const EnvOptions& options, const std::vector<std::string>& behind) {
  const Installation installation = find_installation();
  check_library(installation);
  const Settings said = gather_settings(options.set, environ, options.config);
  if (options.slurm) {
    print_slurm(installation, said, options, behind);
    return 0;
  }
  for (const auto& [option, value] : {std::pair("--ranks", options.ranks), std::pair("--threads", options.threads),
                                      std::pair("--repeat", options.repeat), std::pair("--label", options.label)})
    if (value) refuse(option, "belongs to a job script", "add --slurm");
  if (!behind.empty()) refuse("env", "a command belongs to a job script", "add --slurm");
  print_lines(installation, said);
  return 0;
}

} // namespace

void add_env(CLI::App& app, const std::vector<std::string>& behind, int& status) {
  auto options = std::make_shared<EnvOptions>();
  const Subcommand command(app, "env", "Print the environment of a measured run, or a batch job script");
  command.footer("By hand:      eval \"$(andes env)\"; mpirun -n 4 ./a.out\n"
                 "Job script:   andes env --slurm --ranks 1,2,4,8 -- ./a.out ARGUMENTS > job.sh");
  command.flag("--slurm", options->slurm, "Print a complete job script for Slurm");
  command.option("--ranks", options->ranks, "Rank counts of the script (1,2,4,8,16)").value_name("LIST");
  command.option("--threads", options->threads, "Threads per rank, run with every rank count").value_name("LIST");
  command.option("--repeat", options->repeat, "Runs of each size (6)").value_name("N");
  command.option("--label", options->label, "Word added to the directory's name").value_name("WORD");
  command.option("--config", options->config, "Settings file").value_name("FILE");
  command.repeated_option("--set", options->set, "One setting; may be given several times").value_name("KEY=VALUE");
  command.does([options, &behind, &status] { status = env(*options, behind); });
}

} // namespace andes::postproc
