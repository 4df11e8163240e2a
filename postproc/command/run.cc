// andes run: options to a Request, then launch/sweep.
#include "postproc/command/run.h"

#include <unistd.h>

#include <memory>

#include "common/message.h"
#include "postproc/command/subcommand.h"
#include "postproc/launch/count_list.h"
#include "postproc/launch/naming.h"
#include "postproc/launch/rule_file.h"
#include "postproc/launch/sweep.h"

namespace andes::postproc {
namespace {

struct RunOptions {
  std::optional<std::string> output, ranks, threads, label, zip, weak;
  std::string config, repeat = "1";
  std::vector<std::string> set, vary;
  double hang_after_s = 0;
  bool overhead = false;
};

int run(const RunOptions& options, const std::vector<std::string>& behind) {
  Request request;
  request.command = behind;
  if (options.ranks) request.sizes.ranks = read_count_list(*options.ranks, counted_ranks);
  if (options.threads) request.sizes.threads = read_count_list(*options.threads, counted_threads);
  for (const std::string& axis : options.vary) request.sizes.axes.push_back(read_axis(axis));
  if (options.zip) request.sizes.zipped = read_names(*options.zip);
  if (options.weak && options.weak->empty()) refuse("--weak", "the name is empty", "name an axis of --vary");
  request.sizes.weak = options.weak.value_or("");
  request.repeats = read_repeats(options.repeat);
  request.overhead = options.overhead;
  request.hang_after_s = options.hang_after_s;
  request.label = options.label.value_or("");
  if (options.label) check_label(*options.label);
  request.settings = gather_settings(options.set, environ, options.config);
  check_rule_file(value_of(request.settings, "rules"), value_of(request.settings, "events"));
  request.output = options.output.value_or("");
  if (options.output && request.output.empty()) refuse("-o", "the name is empty", "give a file name like a.andes");
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
  auto options = std::make_shared<RunOptions>();
  const Subcommand command(app, "run", "Run a program with the monitor, once or as a sweep");
  command.footer("Usage: andes run [OPTIONS] -- COMMAND...\n"
                 "  andes run --ranks 1,2,4 --repeat 6 -- mpirun -n {p} ./a.out ARGUMENTS\n"
                 "  andes run --ranks 1,2,4 --threads 1,2 --repeat 6 -- mpirun -n {p} ./a.out ARGUMENTS\n"
                 "  andes run --vary N=1000,2000 --ranks 1,2,4 --repeat 6 -- mpirun -n {p} ./a.out {N}\n"
                 "Run files go to runs/<program>-<nnn>[-label]/[NAME=VALUE.]p<P>[t<T>].<repeat>.andes.");
  command.option("-o", options->output, "Name of the run file (one run only)").value_name("FILE");
  command.option("--ranks", options->ranks, "Rank counts: 1,2,4 or 1-4 or 2-16:2; {p} in COMMAND stands for each")
      .value_name("LIST");
  command
      .option("--threads", options->threads,
              "Threads per rank, run with every rank count: sets OMP_NUM_THREADS, and {t} in COMMAND")
      .value_name("LIST");
  command
      .repeated_option(
          "--vary", options->vary,
          "Values of an axis, such as a problem size or a file; {NAME} in COMMAND stands for each; several "
          "axes are crossed")
      .value_name("NAME=VALUE,...");
  command
      .option("--zip", options->zip,
              "Pair the values of these lists instead of crossing them: names of axes, p for --ranks, t for --threads")
      .value_name("NAME,...");
  command
      .option(
          "--weak", options->weak,
          "The axis that grows with the ranks: its values belong to the smallest rank count, and grow in proportion "
          "unless they are paired with p by --zip")
      .value_name("NAME");
  command
      .option("--repeat", options->repeat,
              "Runs of each size; six give intervals; auto: until the 95 % interval of the median is at most 5 % wide, "
              "for 10 minutes at most; auto:2%,1h: other bounds")
      .value_name("N|auto");
  command.option("--config", options->config, "Settings file; configs/andes.info explains them").value_name("FILE");
  command.repeated_option("--set", options->set, "One setting; may be given several times").value_name("KEY=VALUE");
  command.option("--label", options->label, "Word added to the directory's name").value_name("WORD");
  command
      .option("--hang-after", options->hang_after_s,
              "Say who waits for whom once no rank has made progress in MPI for so many seconds; the run goes on")
      .range(1, 1e6)
      .value_name("SECONDS");
  command.flag("--overhead", options->overhead,
               "Run in pairs with and without the monitor, and print the cost of measuring");
  command.does([options, &behind, &status] { status = run(*options, behind); });
}

} // namespace andes::postproc
