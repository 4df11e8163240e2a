// Benchmark: all shipped rules over a million messages and a hundred thousand parts of collective
// operations, of which 30 % wait, a tenth of those for a sender that waits itself, another tenth
// overtaken; and a join of two event types, by equalities and a window, over as many events.
//
// What is timed is the processor time of evaluate() alone; filling the tables is the exchange's
// work. Best of seven rounds. Floor of the same run: reading each value of the columns that the
// rules use once. Prints events a second, the ratio to the floor, and PASS or MISS against 3
// million a second; exits 1 on a MISS.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <random>

#include "monitor/rules/overtaken.h"
#include "monitor/rules/rules.h"

namespace {

using namespace andes::monitor;
using namespace andes::monitor::rules;

constexpr std::size_t messages = 1'000'000, collectives = 100'000;
constexpr int rounds = 7;
constexpr double wanted_per_s = 3e6;

double processor_s() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void fill_messages(Table& table) {
  namespace c = columns::point_to_point_operation_group;
  std::mt19937_64 random(1);
  const std::size_t first = append(table, messages);
  for (std::size_t i = 0; i < messages; ++i) {
    const std::size_t row = first + i;
    const auto begin = static_cast<std::int64_t>(i) * 1000;
    const std::uint64_t kind = random() % 100;
    const std::int64_t late = kind < 20 ? 100 + static_cast<std::int64_t>(random() % 300) : -200;
    const std::int64_t receive_late = kind >= 90 ? 150 : -100; // late receivers
    set(table, row, c::start_time, begin);
    set(table, row, c::finish_time, begin + 500);
    set(table, row, c::rank, 3);
    set(table, row, c::call_stack, 40);
    set(table, row, c::peer_rank, 4);
    set(table, row, c::peer_call_stack, 50);
    set(table, row, c::send_start_time, begin + late);
    set(table, row, c::send_wait_start_time, begin + late);
    set(table, row, c::send_wait_finish_time, begin + 450);
    set(table, row, c::send_wait_call_stack, 51);
    set(table, row, c::receive_start_time, begin + late + receive_late);
    set(table, row, c::receive_wait_start_time, begin);
    set(table, row, c::receive_wait_finish_time, begin + 500);
    set(table, row, c::receive_wait_call_stack, 41);
    set(table, row, c::source, 4);
    set(table, row, c::send_rank, 4);
    set(table, row, c::receive_rank, 3);
    set(table, row, c::sender_waiting, kind % 10 == 0);
    set(table, row, c::overtaking_source, kind % 10 == 1 ? 5 : none);
  }
}

void fill_collectives(Tables& tables) {
  namespace c = columns::collective_operation_group;
  Table& table = table_of(tables, EventType::collective_operation_group);
  const std::int64_t operations[] = {
      intern(tables.strings, "BARRIER"), intern(tables.strings, "N_TO_N"),
      intern(tables.strings, "ONE_TO_N"), intern(tables.strings, "N_TO_ONE"),
      intern(tables.strings, "SCAN")};
  const std::size_t first = append(table, collectives);
  for (std::size_t i = 0; i < collectives; ++i) {
    const std::size_t row = first + i;
    const auto begin = static_cast<std::int64_t>(i) * 10000;
    const std::int64_t latest = begin + (i % 10 < 3 ? 700 : 0);
    set(table, row, c::operation, operations[i % 5]);
    set(table, row, c::start_time, begin);
    set(table, row, c::finish_time, begin + 1000);
    set(table, row, c::latest_start_time, latest);
    set(table, row, c::latest_other_start_time, latest);
    set(table, row, c::root_start_time, latest);
    set(table, row, c::is_root, i % 25 == 3);
  }
}

std::int64_t sum_of_used(const Tables& tables) {
  std::int64_t sum = 0;
  for (const Table& table : tables.tables)
    for (const Column& column : table.columns)
      sum = std::accumulate(column.integers.begin(), column.integers.end(), sum);
  return sum;
}

struct Figures {
  double floor_s = 1e9, evaluation_s = 1e9;
  std::size_t observations = 0;
};

template <class Fill> Figures measured(const Program& program, Fill fill) {
  Figures figures;
  Tables tables = make_tables(program);
  for (int round = 0; round < rounds; ++round) {
    clear(tables);
    fill(tables);
    const double before_s = processor_s();
    const volatile std::int64_t sum = sum_of_used(tables);
    static_cast<void>(sum);
    const double between_s = processor_s();
    figures.observations = 0;
    const Outcome outcome = evaluate(
        program, tables,
        {[&](std::span<const Observation> all) { figures.observations += all.size(); }, {}});
    const double after_s = processor_s();
    if (!outcome.stopped.empty() || outcome.out_of_memory) std::puts("stopped");
    figures.floor_s = std::min(figures.floor_s, between_s - before_s);
    figures.evaluation_s = std::min(figures.evaluation_s, after_s - between_s);
  }
  return figures;
}

bool print(const char* what, std::size_t events, const Figures& figures) {
  const double per_s = static_cast<double>(events) / figures.evaluation_s;
  std::printf(
      "%s: %zu events, %zu observations, %.1f ms, %.1f million events/s (%.1f x floor)  %s\n", what,
      events, figures.observations, 1e3 * figures.evaluation_s, 1e-6 * per_s,
      figures.evaluation_s / figures.floor_s, per_s >= wanted_per_s ? "PASS" : "MISS");
  return per_s >= wanted_per_s;
}

constexpr const char* join = R"(
rule
    event e1 type function_call_non_blocking_receive_operation
    event e2 type function_call_request_handling
    where
        e2.rank = e1.rank and
        e2.request = e1.request and
        e2.start_time >= e1.finish_time and
        e2.start_time <= e1.finish_time + 1000000
    create performance observation
        name = "join"
        impact = e2.finish_time - e1.start_time
    delete e1
    delete e2;
)";

void fill_requests(Tables& tables) {
  namespace c = columns::function_call_non_blocking_receive_operation;
  namespace h = columns::function_call_request_handling;
  std::mt19937_64 random(2);
  Table& receives = table_of(tables, EventType::function_call_non_blocking_receive_operation);
  Table& waits = table_of(tables, EventType::function_call_request_handling);
  append(receives, messages / 2);
  append(waits, messages / 2);
  for (std::size_t i = 0; i < messages / 2; ++i) {
    const auto begin = static_cast<std::int64_t>(i) * 1000;
    const auto request = static_cast<std::int64_t>(random() % 50 + i / 50 * 50 % 10000); // reused
    set(receives, i, c::start_time, begin);
    set(receives, i, c::finish_time, begin + 100);
    set(receives, i, c::request, request);
    set(waits, i, h::start_time, begin + 300);
    set(waits, i, h::finish_time, begin + 500);
    set(waits, i, h::request, request);
  }
}

} // namespace

int main() {
  const Compiled shipped = compile(shipped_rules()), joined = compile({{"join.rules", join}});
  if (!shipped.errors.empty() || !joined.errors.empty()) {
    std::puts("the rules have errors");
    return 1;
  }
  bool good =
      print("shipped rules", messages + collectives, measured(shipped.program, [](Tables& tables) {
              fill_messages(table_of(tables, EventType::point_to_point_operation_group));
              fill_collectives(tables);
            }));
  const Figures figures = measured(joined.program, fill_requests);
  std::printf("join of two events: %zu events, %zu observations, %.1f ms, %.1f million events/s\n",
              messages, figures.observations, 1e3 * figures.evaluation_s,
              1e-6 * static_cast<double>(messages) / figures.evaluation_s);
  Tables tables = make_tables(shipped.program);
  Table& table = table_of(tables, EventType::point_to_point_operation_group);
  fill_messages(table);
  const double before_s = processor_s();
  fill_overtaking(table);
  std::printf("finding messages that overtake: %.1f ms for %zu messages\n",
              1e3 * (processor_s() - before_s), messages);
  return good ? 0 : 1;
}
