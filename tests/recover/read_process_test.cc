// The reader of arenas on processes made by hand; all numbers by hand.
#include "tests/recover/made_arena.h"

using namespace andes;
using namespace andes::test;

namespace {

/// main from 1100: work three times for 100 each, from 2000, 3000, 4000; still in solve since 5000.
MadeProcess solver() {
  MadeProcess made;
  made.enter("main", 1100);
  for (const std::uint64_t at : {2000, 3000, 4000}) made.visit("work", at, at + 100);
  made.enter("solve", 5000);
  return made;
}

std::string refusal_of(const std::vector<std::byte>& bytes) {
  try {
    read_process(bytes);
  } catch (const Refusal& refused) {
    return refused.what();
  }
  return {};
}

} // namespace

TEST_CASE("what was open is closed when the process ended") {
  const auto read = recovered(solver().arena({EndKind::signal, 15, 9000}));
  CHECK(read->end_known);
  CHECK(read->end_ticks == 9000);
  CHECK(visits_of(*read, "main/work") == 3);
  CHECK(ticks_of(*read, "main/work") == 300);
  CHECK(visits_of(*read, "main/solve") == 1);
  CHECK(ticks_of(*read, "main/solve") == 4000);
  CHECK(ticks_of(*read, "main") == 7900);
  CHECK(ticks_of(*read, "") == 8000);
  CHECK(read->innermost == node_of(read->process, "main/solve"));
  CHECK(read->program.name == "solver");
  CHECK(read->program.executable == "/opt/work/solver");
  CHECK(read->program.directory == "/home/user/case");
  CHECK(read->program.arguments == std::vector<std::string>{"-n", "4"});
  CHECK(read->host.facts.name == "there");
  CHECK(read->host.cores.size() == 2);
  CHECK_FALSE(read->lost.any());
}

TEST_CASE("exit() without MPI_Finalize ends the measurement, but is no MPI_Finalize") {
  MadeProcess made = solver();
  made.process->end_ticks = 9000;
  CHECK_FALSE(recovered(made.arena({EndKind::exit, 0, 9000}))->finalized);
  CHECK(recovered(made.arena({EndKind::signal, 15, 9500}))->finalized); // in MPI_Finalize
}

TEST_CASE("a process ended in a visit that was timed as a sample") {
  MadeProcess made = solver();
  andes_frame* work = made.enter("work", 6000); // below solve
  Tree& tree = made.location->tree;
  const std::uint32_t node = tree.number(tree.node_at(work->place));
  REQUIRE(make_sampled(tree, node, 1));
  work->bits = ANDES_FRAME_SAMPLE;
  const auto read = recovered(made.arena({EndKind::signal, 9, 9000}));
  CHECK(visits_of(*read, "main/solve/work") == 1);
  CHECK(ticks_of(*read, "main/solve") == 4000);
  const Tree& own = read->process.locations[0]->tree;
  CHECK(own.records[own.node(node_of(read->process, "main/solve/work")).record].sample.timed == 1);
}

TEST_CASE("a process that told nothing ended with its last event") {
  MadeProcess made = solver();
  auto read = recovered(made.arena());
  CHECK_FALSE(read->end_known);
  CHECK(read->end_ticks == 5000);
  CHECK(ticks_of(*read, "main/solve") == 0);
  CHECK(ticks_of(*read, "main") == 3900);
  // What was entered and left last is in the frames above the top still.
  made.visit("look", 6000, 6500);
  read = recovered(made.arena());
  CHECK(read->end_ticks == 6000);
}

TEST_CASE("how long a tick is can be told of a process that began, and died, a moment ago") {
  RecoveredProcess dead(1 << 20);
  dead.boot_id = this_boot_id();
  dead.process.clock.kind = ClockKind::tsc;
  dead.process.clock.start = take_anchor(dead.process.clock);
  dead.ending.kind = EndKind::signal;
  dead.ending.ticks = dead.process.clock.start.ticks + 1000;
  set_clocks({&dead});
  CHECK(dead.scaled);
  const Clock& clock = dead.process.clock;
  CHECK(clock.end.ticks == clock.start.ticks + 1000);
  // Not one nanosecond per tick: that of the time stamp counter, against another stretch of it.
  const Anchor now = take_anchor(clock);
  const double ns_per_tick = static_cast<double>(now.monotonic_ns - clock.start.monotonic_ns) /
                             static_cast<double>(now.ticks - clock.start.ticks);
  CHECK(static_cast<double>(clock.end.monotonic_ns - clock.start.monotonic_ns) ==
        Approx(1000 * ns_per_tick).margin(1.5));
}

TEST_CASE("a signal that the program survived is not its end") {
  MadeProcess made = solver();
  made.visit("look", 5 * second, 6 * second);
  auto read = recovered(made.arena({EndKind::signal, 15, 9000}));
  CHECK(read->ending.kind == EndKind::running);
  CHECK_FALSE(read->end_known);
  CHECK(read->end_ticks == 5 * second);
  read = recovered(made.arena({EndKind::signal, 15, 7 * second}));
  CHECK(read->ending.kind == EndKind::signal);
  CHECK(read->end_ticks == 7 * second);
}

TEST_CASE("a frame that was half pushed is dropped") {
  MadeProcess made = solver();
  andes_frame*& top = made.location->hot->top;
  SECTION("with the time of the visit before it") { // top is raised first; place and time come later
    made.leave(top, 5100);
    made.visit("solve", 6000, 6900);
    ++top;
    top->enter_ticks = 5000; // of the visit that has been counted: 100 + 900 + 4000 is more than main has left
    const auto read = recovered(made.arena({EndKind::signal, 9, 7000}));
    CHECK(ticks_of(*read, "main/solve") == 1000 + 2000);
  }
  SECTION("without a time") {
    ++top;
    *top = {0, top[-1].place, 0, 0, 0, 0};
    const auto read = recovered(made.arena({EndKind::signal, 9, 7000}));
    CHECK(ticks_of(*read, "main/solve") == 2000);
  }
  SECTION("of a node elsewhere") {
    ++top;
    *top = {6000, place_of(node_of(*made.process, "main/work")), 0, 0, 0, 0};
    const auto read = recovered(made.arena({EndKind::signal, 9, 7000}));
    CHECK(ticks_of(*read, "main/work") == 300);
    CHECK(ticks_of(*read, "main/solve") == 2000);
  }
}

TEST_CASE("a visit whose time has been counted is not counted twice") {
  MadeProcess made;
  made.enter("main", 1000);
  andes_frame* frame = made.enter("work", 1000);
  made.location->tree.node_at(frame->place).inclusive_ticks += 5000; // and died before the frame was taken away
  const auto read = recovered(made.arena({EndKind::signal, 11, 6000}));
  CHECK(ticks_of(*read, "main/work") == 5000);
  CHECK(ticks_of(*read, "main") == 5000);
}

TEST_CASE("recursion is closed as it was opened") {
  MadeProcess made;
  made.enter("main", 1000);
  made.enter("walk", 2000);
  made.enter("step", 3000);
  andes_frame* inner = made.enter("walk", 4000);
  CHECK((inner->bits & ANDES_FRAME_FOLDED) != 0);
  const auto read = recovered(made.arena({EndKind::exit, 0, 5000}));
  CHECK(visits_of(*read, "main/walk") == 2);
  CHECK(ticks_of(*read, "main/walk") == 3000);
  CHECK(ticks_of(*read, "main/walk/step") == 2000);
  CHECK(read->process.locations[0]->tree.accounts[node_of(read->process, "main/walk")].moved_ticks == 1000);
}

TEST_CASE("time switched off stays out") {
  MadeProcess made = solver();
  switch_off(*made.location, 6000);
  const auto read = recovered(made.arena({EndKind::signal, 15, 9000}));
  CHECK(ticks_of(*read, "main/solve") == 1000);
  CHECK(read->process.locations[0]->off_ticks == 3000);
}

TEST_CASE("an arena without places for some stretches loses what was there") {
  const MadeProcess made = solver();
  SECTION("names") {
    const auto read = recovered(made.arena({EndKind::exit, 0, 9000}, made.process->registry.text.begin));
    CHECK(visits_of(*read, "(name lost)/(name lost)") == 3);
  }
  SECTION("accounts: the tree") {
    CHECK(refusal_of(made.arena({EndKind::exit, 0, 9000}, made.location->tree.accounts)) != "");
  }
  SECTION("frames: nothing was open") {
    const auto read = recovered(made.arena({EndKind::exit, 0, 9000}, made.location->frames));
    CHECK(visits_of(*read, "main/work") == 3);
  }
}

TEST_CASE("a damaged node is dropped with what hangs below, and its time stays above") {
  MadeProcess made;
  made.enter("main", 1000);
  andes_frame* work = made.enter("work", 2000);
  made.visit("inner", 2100, 2200);
  made.leave(work, 3000);
  Tree& tree = made.location->tree;
  const std::uint32_t node = node_of(*made.process, "main/work");
  SECTION("its place") { tree.node(node).place += 1; }
  SECTION("its parent") { tree.node(node).parent = node + 1; }
  SECTION("its region") { tree.node(node).region = 60000; }
  SECTION("its time") { tree.node(node).inclusive_ticks = ~0ull; }
  SECTION("its visits") { tree.accounts[node].visits_base = 0; }
  const auto read = recovered(made.arena({EndKind::exit, 0, 9000}));
  CHECK(read->lost.call_paths == 2);
  CHECK(node_of(read->process, "main/work") == 0);
  CHECK(ticks_of(*read, "main") == 8000);
}

TEST_CASE("who sends to this rank in neighbourhood collectives is read; a list that cannot be is none") {
  MadeProcess made(1, 3);
  auto* const sources = static_cast<std::int32_t*>(keep_bytes(made.process->registry, 2 * sizeof(std::int32_t)));
  REQUIRE(sources);
  sources[0] = 2, sources[1] = 0;
  Communicator& world = made.process->events.communicators[0];
  world.sources = sources;
  world.source_count = 2;
  const auto read = recovered(made.arena());
  const Communicator& known = read->process.events.communicators[0];
  REQUIRE(known.source_count == 2);
  CHECK(known.sources[0] == 2);
  CHECK(known.sources[1] == 0);
  world.source_count = 0xffffff; // more than there is memory behind it
  CHECK(recovered(made.arena())->process.events.communicators[0].source_count == 0);
}

TEST_CASE("what is no arena is refused in one line") {
  const MadeProcess made = solver();
  const std::vector<std::byte> whole = made.arena({EndKind::exit, 0, 9000});
  std::vector<std::byte> bytes = whole;
  auto& header = *reinterpret_cast<ArenaHeader*>(bytes.data());
  CHECK(refusal_of({}).find("not an arena") != std::string::npos);
  CHECK(refusal_of(std::vector<std::byte>(100'000, std::byte{'x'})).find("not an arena") != std::string::npos);
  SECTION("build") {
    header.layout ^= 1;
    CHECK(refusal_of(bytes).find("another build") != std::string::npos);
  }
  SECTION("cut off") {
    for (const std::size_t size : {std::size_t{16}, sizeof(ArenaHeader), whole.size() / 2})
      CHECK(refusal_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}) != "");
  }
  SECTION("overlapping stretches") {
    header.stretches[1].address = header.stretches[0].address + 8;
    CHECK(refusal_of(bytes).find("overlap") != std::string::npos);
  }
  SECTION("another process") {
    header.process_address += 1 << 20;
    CHECK(refusal_of(bytes).find("process itself") != std::string::npos);
  }
}

TEST_CASE("no single wrong byte does any harm") {
  MadeProcess made(1, 2);
  made.enter("main", 1100);
  made.message(EventKind::send, "MPI_Send", 0, 2000, 3000, 800);
  made.message(EventKind::receive, "MPI_Recv", 0, 4000, 5000, 800);
  const std::vector<std::byte> whole = made.arena({EndKind::signal, 9, 9000});
  std::vector<std::byte> bytes = whole;
  std::uint64_t random = 1;
  int read = 0, refused = 0;
  for (int turn = 0; turn < 3000; ++turn) {
    // Half of them in the parts that are small and matter.
    const std::size_t body = MadeProcess::page_up(sizeof(ArenaHeader));
    std::size_t at = body + random_below(random, static_cast<std::uint32_t>(whole.size() - body));
    if (turn % 2 == 0) at = random_below(random, offsetof(ArenaHeader, stretches) + 20 * sizeof(Stretch));
    const std::byte before = bytes[at];
    bytes[at] = static_cast<std::byte>(random_below(random, 256));
    try {
      recovered(bytes);
      ++read;
    } catch (const Refusal&) {
      ++refused;
    }
    bytes[at] = before;
  }
  CHECK(read > 1000);
  CHECK(refused > 10);
}
