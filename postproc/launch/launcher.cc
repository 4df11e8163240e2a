// Taking launcher commands apart. The option tables hold what takes a value, of Open MPI 4 and 5,
// hydra (MPICH, Intel MPI), Slurm, ALPS, LSF and Flux; an option in none of them is a flag.
#include "postproc/launch/launcher.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

#include "monitor/interface/part_of_name.h"
#include "postproc/analysis/file_identity.h"
#include "postproc/inspect/command_output.h"
#include "postproc/inspect/start_trouble.h"
#include "postproc/launch/plan.h"

namespace andes::postproc {
namespace {

using Names = std::set<std::string_view>;

bool is_launcher(const std::string& word) {
  static const Names names = {"orterun", "prterun",   "prun",  "srun", "aprun",
                              "jsrun",   "ccc_mprun", "ibrun", "flux", "yod"};
  const std::string name = base_name(word);
  return names.count(name) || name.rfind("mpirun", 0) == 0 || name.rfind("mpiexec", 0) == 0;
}

/// Commands that start the command behind their own options.
bool is_prefix(const std::string& word) {
  static const Names names = {"env",     "time",  "timeout", "nice", "ionice", "stdbuf", "chrt",     "taskset",
                              "numactl", "nohup", "setsid",  "perf", "strace", "ltrace", "valgrind", "gdb"};
  return names.count(base_name(word)) > 0;
}

/// Of these, the ones that stay and start the command as another process.
bool forks(const std::string& word) {
  static const Names names = {"time", "timeout", "setsid", "perf", "strace", "ltrace", "gdb"};
  return names.count(base_name(word)) > 0;
}

// Options that take a value, between blanks. Of Open MPI 4 and 5 and hydra together: ...
constexpr std::string_view mpirun_options =
    " -n --n -np --np -c -N -H -host --host -hosts -hostfile --hostfile -machinefile --machinefile "
    "-default-hostfile --default-hostfile -ppn -perhost -npernode --npernode -npersocket "
    "--npersocket -f -bind-to --bind-to -map-by --map-by -rank-by --rank-by -rf --rankfile "
    "-rankfile -cpu-set --cpu-set -cpu-list --cpu-list -cpus-per-proc --cpus-per-proc "
    "-cpus-per-rank --cpus-per-rank -membind -x -envlist -genvlist -envexcl -wdir --wdir -wd --wd "
    "-path --path -prefix --prefix --preload-files -configfile -app --app -tune --tune -am "
    "-output-filename --output-filename --output -xterm --xterm -stdin --stdin -timeout --timeout "
    "-launcher -launcher-exec -iface -rmk -bootstrap -profile -prepend-pattern -outfile-pattern "
    "-errfile-pattern --personality --dvm --report-uri -report-uri -ckpoint-prefix ";
constexpr std::string_view mpirun_pairs = " -mca --mca -gmca --gmca -env -genv --prtemca --pmixmca "; // two values each
// ... of Slurm ...
constexpr std::string_view srun_options =
    " -n -N -c -p -t -J -A -w -x -o -e -i -D -C -G -m -d -q -r -B -T -M -L -P -W -S -K --ntasks "
    "--nodes --cpus-per-task --partition --time --job-name --account --nodelist --exclude --output "
    "--error --input --chdir --constraint --gpus --qos --distribution --mem --mem-per-cpu "
    "--ntasks-per-node --ntasks-per-socket --ntasks-per-core --gres --jobid --relative "
    "--reservation --threads --network --gpus-per-task --gpus-per-node --licenses --comment "
    "--multi-prog ";
// ... of ALPS, LSF and Flux.
constexpr std::string_view other_options =
    " -n -N -c -d -S -sn -j -cc -m -L -a -r -g -l -b -p -o -e -i -t -q -B -E --np --nrs "
    "--tasks_per_rs --cpu_per_rs --gpu_per_rs --rs_per_host --bind --ntasks --nodes "
    "--cores-per-task --gpus-per-task --time-limit --queue --output --error --env ";

bool is_in(std::string_view options, const std::string& option) {
  return options.find(" " + option + " ") != std::string_view::npos;
}

/// Number of words that an option takes from behind it.
std::size_t values_of(const std::string& option, const std::string& launcher) {
  if (option.find('=') != std::string::npos) return 0;
  if (launcher == "srun") return is_in(srun_options, option);
  if (launcher.rfind("mpi", 0) != 0 && launcher != "orterun" && launcher.rfind("pr", 0) != 0)
    return is_in(other_options, option);
  return is_in(mpirun_pairs, option) ? 2 : is_in(mpirun_options, option);
}

bool starts_shell(const std::string& path) {
  static const Names shells = {"sh", "bash", "dash", "zsh", "ksh", "csh", "tcsh", "fish", "busybox"};
  if (shells.count(base_name(path))) return true;
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line) || line.rfind("#!", 0) != 0) return false;
  // "#!/bin/sh -e" and "#!/usr/bin/env bash": any of the words may be the shell.
  for (std::size_t at = 2; at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    if (shells.count(base_name(line.substr(at, end - at)))) return true;
    at = end + 1;
  }
  return false;
}

/// Index of the program behind the launcher at `launcher`.
std::size_t find_program(const std::vector<std::string>& words, std::size_t launcher) {
  const std::string name = base_name(words[launcher]);
  std::size_t at = launcher + 1;
  if (name == "flux" && at < words.size() && words[at] == "run") ++at;
  while (at < words.size() && words[at].size() > 1 && words[at][0] == '-') {
    if (words[at] == "--") {
      ++at;
      break;
    }
    at += 1 + values_of(words[at], name);
  }
  // An option unknown here may have left us on its value: the program is what can be executed. A path that leads
  // nowhere is no value of an option, but a program that is missing.
  const auto is_missing = [](const std::string& word) {
    return word.find('/') != std::string::npos && access(word.c_str(), F_OK) != 0;
  };
  if (at < words.size() && is_missing(words[at])) return at;
  for (std::size_t candidate = at; candidate < words.size(); ++candidate)
    if (!find_executable(words[candidate]).empty()) return candidate;
  return std::min(at, words.size() - 1);
}

/// Passes over "andes exec" and commands like env and numactl in front of the program at `at`.
std::size_t skip_prefixes(const std::vector<std::string>& words, std::size_t at) {
  for (;;) {
    if (base_name(words[at]) == "andes" && at + 2 < words.size() && words[at + 1] == "exec") {
      at += 2;
      continue;
    }
    if (!is_prefix(words[at])) return at;
    std::size_t next = at + 1;
    while (next < words.size() && (words[next][0] == '-' || words[next].find('=') != std::string::npos ||
                                   find_executable(words[next]).empty()))
      ++next;
    if (next == words.size()) return at;
    at = next;
  }
}

/// What is run: the program, or the script or module that an interpreter of Python runs.
std::string subject_of(const Command& command) {
  const std::string& program = command.words[command.program];
  if (base_name(program).rfind("python", 0) != 0) return program;
  for (std::size_t at = command.program + 1; at < command.words.size(); ++at) {
    const std::string& word = command.words[at];
    const bool has_value = word == "-m" || word == "-W" || word == "-X";
    if (word == "-m" && at + 1 < command.words.size() && command.words[at + 1] != "andes" &&
        command.words[at + 1] != "mpi4py")
      return command.words[at + 1];
    if (has_value) ++at;
    else if (word[0] != '-') return word.ends_with(".py") ? word.substr(0, word.size() - 3) : word;
    else if (word == "-c") break;
  }
  return program;
}

/// What starts another program, where the command's own program lies at `path`, or nowhere if that is empty.
std::string starter_in(const Command& command, const std::string& path) {
  if (command.has_launcher) return {};
  for (std::size_t i = 0; i < command.program; ++i)
    if (forks(command.words[i])) return command.words[i];
  return !path.empty() && starts_shell(path) ? command.words[command.program] : std::string();
}

} // namespace

Command read_command(const std::vector<std::string>& words) {
  Command command;
  command.words = words;
  const std::size_t first_command = is_prefix(words[0]) ? skip_prefixes(words, 0) : 0;
  command.launcher = first_command;
  command.has_launcher = is_launcher(words[first_command]);
  const std::size_t program = command.has_launcher ? find_program(words, first_command) : first_command;
  command.program = skip_prefixes(words, program);
  return command;
}

void ask_launcher(Command& command) {
  if (!command.has_launcher) return;
  static const Names of_open_mpi = {"orterun", "prterun", "prun"};
  const std::string name = base_name(command.words[command.launcher]);
  std::error_code error;
  const std::filesystem::path program =
      std::filesystem::canonical(find_executable(command.words[command.launcher]), error);
  // Its mpirun is a link to one of these; what a name does not tell is asked, which takes 10 ms.
  if (of_open_mpi.count(name) || of_open_mpi.count(program.filename().string())) command.family = MpiFamily::open_mpi;
  else if (name.rfind("mpirun", 0) == 0 || name.rfind("mpiexec", 0) == 0)
    command.family = family_in_text(output_of({command.words[command.launcher], "--version"}).text);
}

std::string program_name(const Command& command) {
  std::string name = subject_of(command);
  for (const std::string& placeholder : placeholders_in({name})) {
    const std::string braced = '{' + placeholder + '}';
    for (std::size_t at = 0; (at = name.find(braced, at)) != std::string::npos; at += placeholder.size())
      name.replace(at, braced.size(), placeholder);
  }
  name = base_name(name);
  return name.empty() || name[0] == '.' ? "program" : part_of_name(name);
}

int ranks_asked(const Command& command) {
  static const Names options = {"-n", "--n", "-np", "--np", "-c", "--ntasks"};
  if (!command.has_launcher) return 1;
  const bool srun = base_name(command.words[command.launcher]) == "srun";
  for (std::size_t i = command.launcher + 1; i + 1 < command.program; ++i) {
    const std::string& word = command.words[i];
    if (!options.count(word) || (srun && word == "-c")) continue;
    int ranks = 0;
    const std::string& text = command.words[i + 1];
    std::from_chars(text.data(), text.data() + text.size(), ranks);
    return std::max(0, ranks);
  }
  return 0;
}

std::string starter_of(const Command& command) {
  return starter_in(command, find_executable(command.words[command.program]));
}

bool is_program(const Command& command) {
  const std::string path = find_executable(command.words[command.program]);
  return !command.has_launcher && !path.empty() && starter_in(command, path).empty();
}

std::vector<std::string> with_variables(const Command& command, const std::vector<std::string>& variables,
                                        const std::string& library) {
  constexpr std::string_view preload = "LD_PRELOAD";
  std::vector<std::string> words = command.words;
  bool preloaded = false; // the user's own option hands LD_PRELOAD on
  for (std::size_t i = command.launcher + 1; command.has_launcher && i < command.program; ++i) {
    std::string& word = words[i];
    if (word.rfind("LD_PRELOAD=", 0) == 0) {
      word.insert(preload.size() + 1, library + ":");
      preloaded = true;
    } else if (word == preload && (words[i - 1] == "-env" || words[i - 1] == "-genv") && i + 1 < command.program) {
      words[i + 1].insert(0, library + ":");
      preloaded = true;
    } else if (word == preload && words[i - 1] == "-x") {
      preloaded = true;
    }
  }
  if (command.family != MpiFamily::open_mpi) return words;
  const auto handed_on = [&](const std::string& name) { // by an option of the user's
    return std::any_of(words.begin() + static_cast<std::ptrdiff_t>(command.launcher),
                       words.begin() + static_cast<std::ptrdiff_t>(command.program),
                       [&](const std::string& word) { return word == name || word.rfind(name + "=", 0) == 0; });
  };
  std::vector<std::string> exports;
  for (const std::string& variable : variables) {
    const std::string name = variable.substr(0, variable.find('='));
    if (name == preload ? preloaded : handed_on(name)) continue;
    exports.insert(exports.end(), {"-x", name});
  }
  // Each program of a colon-separated list has options of its own.
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    result.push_back(words[i]);
    if (i == command.launcher || (i > command.program && words[i] == ":"))
      result.insert(result.end(), exports.begin(), exports.end());
  }
  return result;
}

} // namespace andes::postproc
