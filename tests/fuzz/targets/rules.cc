// The rule language: lexer, parser, checker and, for what compiles, the engine over some events.
#include "tests/fuzz/targets/input.h"

#include "monitor/rules/rules.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace andes::monitor;
  using namespace andes::monitor::rules;
  andes::fuzz::Input input(bytes, size);
  const std::string seeds = input.ConsumeBytesAsString(input.ConsumeIntegralInRange(0, 16));
  const bool behind_shipped = input.ConsumeBool();
  std::vector<Source> sources;
  if (behind_shipped) sources = shipped_rules();
  sources.push_back({"mine.rules", input.ConsumeRemainingBytesAsString()});
  const Compiled compiled = compile(sources);
  for (const Diagnostic& error : compiled.errors) text_of(error);
  if (!compiled.errors.empty()) return 0;
  Tables tables = make_tables(compiled.program);
  std::uint32_t state = 1;
  for (const char c : seeds) state = state * 31 + static_cast<unsigned char>(c);
  const auto number = [&state] { return (state = state * 1664525u + 1013904223u) >> 28; };
  for (Table& table : tables.tables) {
    append(table, 4);
    for (std::size_t row = 0; row < 4; ++row)
      for (std::uint32_t column = 0; column < table.columns.size(); ++column) {
        const ValueType type = table.columns[column].type;
        if (type == ValueType::real)
          set_real(table, row, column, number() == 0 ? 1e308 : number());
        else if (type == ValueType::string)
          set(table, row, column, intern(tables.strings, "main/MPI_Send"));
        else
          set(table, row, column, number() == 0 ? INT64_MAX : number());
      }
  }
  Limits limits;
  limits.candidates = 20'000;
  limits.composed = 2'000;
  const Observer observer{
      [](std::span<const Observation> seen) {
        for (const Observation& one : seen)
          andes::fuzz::require(one.impact_ns > 0, "an observation lost some time");
      },
      [](std::int64_t) { return std::string("main/step/MPI_Recv"); }};
  const Outcome outcome = evaluate(compiled.program, tables, observer, limits);
  andes::fuzz::require(!outcome.out_of_memory, "there was enough memory");
  return 0;
}
