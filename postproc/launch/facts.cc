// What is known outside the measured program.
#include "postproc/launch/facts.h"

#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "postproc/inspect/start_trouble.h"

namespace fs = std::filesystem;

namespace andes::postproc {

namespace {

std::string list_of(const std::vector<std::string>& texts) {
  return nlohmann::json(texts).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The command's words at one size, parted.
struct Filled {
  std::vector<std::string> words;
  std::string program;
  std::vector<std::string> arguments;
};

Filled filled(const Command& command, const Size& size) {
  Filled filled{words_for(command.words, size), {}, {}};
  const auto program = filled.words.begin() + static_cast<std::ptrdiff_t>(command.program);
  filled.program = *program;
  filled.arguments.assign(program + 1, filled.words.end());
  return filled;
}

/// What all sizes of one series have in common: {p}, {t} and the axis that grows, if there is one, stay placeholders.
Size swept(Size size, const std::string& weak) {
  size.ranks = 0;
  if (weak.empty()) size.threads = 0;
  std::erase_if(size.axes, [&weak](const AxisValue& axis) { return axis.name == weak; });
  return size;
}

} // namespace

Facts facts_of(const Command& command, const Planned& planned, const std::string& weak) {
  Facts facts;
  const Filled run = filled(command, planned.size), series = filled(command, swept(planned.size, weak));
  facts["command"] = list_of(run.words);
  if (planned.size.ranks) facts["ranks_started"] = std::int64_t{planned.size.ranks};
  if (planned.size.threads) facts["threads_started"] = std::int64_t{planned.size.threads};
  facts["repeat"] = std::int64_t{planned.repeat};
  if (series.program != run.program) facts["swept_program"] = fs::path(series.program).filename().string();
  if (weak.empty() && series.arguments != run.arguments) facts["swept_arguments"] = list_of(series.arguments);
  if (planned.size.axes.empty()) return facts;
  std::vector<std::string> axes;
  for (const AxisValue& axis : planned.size.axes) axes.push_back(text_of(axis));
  facts["axes"] = list_of(axes);
  if (!weak.empty()) {
    facts["weak"] = text_of({weak, planned.size.weak_base});
    facts["weak_arguments"] = list_of(series.arguments);
  }
  return facts;
}

Facts facts_of(const Command& command, const Planned& planned, const std::string& weak, const Outcome& outcome) {
  Facts facts = facts_of(command, planned, weak);
  if (outcome.signal) facts["signal"] = std::int64_t{outcome.signal};
  else facts["exit_status"] = std::int64_t{outcome.exit_status};
  facts["command_wall_ns"] = outcome.wall_ns;
  const Disturbance& disturbance = outcome.disturbance;
  const auto set = [&facts](FactName name, const auto& value) {
    if (value) facts[name] = *value;
  };
  set("involuntary_switches", disturbance.involuntary_switches);
  set("migrations", disturbance.migrations);
  set("steal_ns", disturbance.steal_ns);
  set("others_ns", disturbance.others_ns);
  set("throttled_ns", disturbance.throttled_ns);
  set("frequency_mhz", disturbance.frequency_mhz);
  return facts;
}

Facts of_spawned(Facts facts) {
  facts.erase("ranks_started");
  return facts;
}

Facts minimal_facts(const Command& command, Facts facts) {
  const std::size_t program = command.program;
  const auto words = nlohmann::json::parse(std::get<std::string>(facts["command"]));
  const nlohmann::json arguments(
      std::vector<nlohmann::json>(words.begin() + static_cast<std::ptrdiff_t>(program) + 1, words.end()));
  const std::string executable = find_executable(words[program]);
  facts["program"] = program_name(command);
  if (!executable.empty()) facts["executable"] = fs::absolute(executable).lexically_normal().string();
  facts["arguments"] = arguments.dump();
  facts["directory"] = fs::current_path().string();
  char started[32];
  const std::time_t begun = std::time(nullptr) - std::get<std::int64_t>(facts["command_wall_ns"]) / 1'000'000'000;
  std::tm utc;
  std::strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&begun, &utc));
  facts["started"] = std::string(started);
  facts["ranks"] = std::int64_t{0};
  facts["complete"] = std::int64_t{0};
  return facts;
}

} // namespace andes::postproc
