// make_runs: writes run files from a JSON description on standard input, for the command tests:
//   [{"file", "ranks", "program": {"serial_s", "parallel_s", "name", "arguments", "hash",
//     "started"}, "scale", "facts": {name: value or null to remove}, "table_values",
//     "renamed": {region: name}, "files": {region: file}, "values": [{"path": number, "metric": name, "values": [by location]}],
//     "causes": [{"name", "title", "description", "advice"}],
//     "waits": [{"cause", "path": number, "wait_s": [by location], "peer_path", "peer_rank",
//     "origin_path", "origin_rank", "events", "variance_ns2"}]}]
// A description with `waits` (maybe none) makes a run whose waits were measured.
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

#include "tests/postproc/run_maker.h"

namespace {

using nlohmann::json;

andes::monitor::Run described(const json& spec) {
  andes::test::Program program;
  const json given = spec.value("program", json::object());
  program.serial_s = given.value("serial_s", program.serial_s);
  program.parallel_s = given.value("parallel_s", program.parallel_s);
  program.name = given.value("name", program.name);
  program.arguments = given.value("arguments", program.arguments);
  program.hash = given.value("hash", program.hash);
  program.started = given.value("started", program.started);
  andes::monitor::Run run = andes::test::run_of(program, spec.at("ranks"), spec.value("scale", 1.0));
  const json facts = spec.value("facts", json::object());
  for (const auto& [name, value] : facts.items()) {
    if (value.is_null())
      run.facts.erase_named(name);
    else if (value.is_string())
      run.facts.named(name) = value.get<std::string>();
    else if (value.is_number_integer())
      run.facts.named(name) = value.get<std::int64_t>();
    else
      run.facts.named(name) = value.get<double>();
  }
  const json files = spec.value("files", json::object());
  for (auto& region : run.regions) region.file = files.value(region.name, region.file);
  const json renamed = spec.value("renamed", json::object());
  for (auto& region : run.regions) region.name = renamed.value(region.name, region.name);
  for (const json& column : spec.value("values", json::array()))
    andes::test::set_values(run, column.at("path"),
                            andes::test::metric_of(run, column.at("metric")), column.at("values"));
  if (spec.contains("waits")) andes::test::measure_waits(run);
  for (const json& cause : spec.value("causes", json::array())) {
    const std::string name = cause.at("name");
    run.causes.push_back({name, cause.value("title", ""), cause.value("description", ""),
                          cause.value("advice", ""), andes::test::metric_of(run, "wait:" + name)});
  }
  for (const json& waits : spec.value("waits", json::array()))
    andes::test::add_waits(run, {waits.at("cause"), waits.at("path"), waits.at("wait_s"),
                                 waits.value("peer_path", -1), waits.value("peer_rank", -1),
                                 waits.value("origin_path", -1), waits.value("origin_rank", -1),
                                 waits.value("events", 1.0), waits.value("variance_ns2", 0.0)});
  return run;
}

} // namespace

int main() {
  try {
    for (const json& spec : json::parse(std::cin))
      andes::test::write(described(spec), spec.at("file"), spec.value("table_values", 20000));
  } catch (const std::exception& error) {
    fmt::print(stderr, "make_runs: {}\n", error.what());
    return 1;
  }
  return 0;
}
