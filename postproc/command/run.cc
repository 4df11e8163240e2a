// andes run: options to a Request, then launch/sweep.
#include "postproc/command/run.h"

#include <unistd.h>

#include <memory>

#include "common/message.h"
#include "postproc/launch/count_list.h"
#include "postproc/launch/naming.h"
#include "postproc/launch/rule_file.h"
#include "postproc/launch/sweep.h"

namespace andes::postproc {
namespace {

struct Options {
  std::string output, ranks, threads, config, label, repeat = "1";
  std::vector<std::string> set;
  bool overhead = false;
};

int read_repeat(const std::string& text) {
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos ||
      std::stoi(text) < 1)
    refuse(fmt::format("--repeat {}", text), "not a number of runs", "give a whole number like 6");
  return std::stoi(text);
}

int run(const CLI::App& command, const Options& options, const std::vector<std::string>& behind) {
  Request request;
  request.command = behind;
  if (command.count("--ranks")) request.ranks = read_count_list(options.ranks, counted_ranks);
  if (command.count("--threads")) request.threads = read_count_list(options.threads, counted_threads);
  request.repeats = read_repeat(options.repeat);
  request.overhead = options.overhead;
  request.label = options.label;
  if (command.count("--label")) check_label(options.label);
  request.settings = gather_settings(options.set, environ, options.config);
  check_rule_file(value_of(request.settings, "rules"));
  request.output = options.output;
  if (command.count("-o") && options.output.empty()) refuse("-o", "the name is empty", "give a file name like a.andes");
  if (request.output.empty()) {
    request.output = value_of(request.settings, "out");
    request.output_by = "the setting out";
  }
  if (options.overhead && value_of(request.settings, "monitor") == "off")
    refuse("--overhead", "the monitor is off", "leave out the setting monitor, or --overhead");
  return run_sweep(request);
}

} // namespace

void add_run(CLI::App& app, const std::vector<std::string>& behind, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Run a program with the monitor, once or as a sweep");
  command->footer("Usage: andes run [OPTIONS] -- COMMAND...\n"
                  "  andes run --ranks 1,2,4 --repeat 6 -- mpirun -n {p} ./a.out ARGUMENTS\n"
                  "  andes run --ranks 1,2,4 --threads 1,2 --repeat 6 -- mpirun -n {p} ./a.out ARGUMENTS\n"
                  "Run files go to runs/<program>-<nnn>[-label]/p<P>[t<T>].<repeat>.andes.");
  command->add_option("-o", options->output, "Name of the run file (one run only)")->type_name("FILE");
  command->add_option("--ranks", options->ranks, "Rank counts: 1,2,4 or 1-4 or 2-16:2; {p} in COMMAND stands for each")
      ->type_name("LIST");
  command
      ->add_option("--threads", options->threads,
                   "Threads per rank, run with every rank count: sets OMP_NUM_THREADS, and {t} in COMMAND")
      ->type_name("LIST");
  command->add_option("--repeat", options->repeat, "Runs of each size; six give intervals")->type_name("N");
  command->add_option("--config", options->config, "Settings file; configs/andes.info explains them")
      ->type_name("FILE");
  command->add_option("--set", options->set, "One setting; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--label", options->label, "Word added to the directory's name")->type_name("WORD");
  command->add_flag("--overhead", options->overhead,
                    "Run in pairs with and without the monitor, and print the cost of measuring");
  command->callback([command, options, &behind, &status] { status = run(*command, *options, behind); });
}

} // namespace andes::postproc
