// Unit tests of what starts runs: rank lists, launcher commands, plans, the intrusion.
#include <catch2/catch.hpp>

#include "common/message.h"
#include "common/nearest.h"
#include "postproc/launch/count_list.h"
#include "postproc/launch/launcher.h"
#include "postproc/launch/naming.h"
#include "postproc/launch/overhead.h"
#include "postproc/launch/plan.h"
#include "postproc/launch/sweep.h"

using namespace andes;
using namespace andes::postproc;

TEST_CASE("rank lists keep the user's order") {
  CHECK(read_count_list("1,2,4", counted_ranks) == std::vector<int>{1, 2, 4});
  CHECK(read_count_list("1-4", counted_ranks) == std::vector<int>{1, 2, 3, 4});
  CHECK(read_count_list("16,1,4-9:2", counted_ranks) == std::vector<int>{16, 1, 4, 6, 8});
}

TEST_CASE("a bad list is named with its option") {
  const auto message = [](const char* text) {
    try {
      read_count_list(text, counted_threads);
    } catch (const Refusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string();
  };
  CHECK(message("1,0") == "--threads 1,0: 0 is not a number of threads; write for example 1,2,4 or 1-4 or 2-16:2");
  CHECK(message("2,2") == "--threads 2,2: 2 is named twice; use --repeat for more runs of a thread count");
}

TEST_CASE("{p} and {t} are replaced everywhere, as far as they are known") {
  CHECK(words_of({"-n", "{p}", "a{p}b{p}", "{t}"}, {12, 0}) == std::vector<std::string>{"-n", "12", "a12b12", "{t}"});
  CHECK(words_of({"{p}", "pe={t}"}, {2, 4}) == std::vector<std::string>{"2", "pe=4"});
}

TEST_CASE("repeats are interleaved, pairs alternate") {
  const auto plan = plan_runs({1, 2}, {}, 2, true);
  const std::vector<std::tuple<int, int, bool>> wanted = {{1, 1, false}, {1, 1, true},  {2, 1, false}, {2, 1, true},
                                                          {1, 2, true},  {1, 2, false}, {2, 2, true},  {2, 2, false}};
  REQUIRE(plan.size() == wanted.size());
  for (std::size_t i = 0; i < plan.size(); ++i)
    CHECK(std::make_tuple(plan[i].size.ranks, plan[i].repeat, plan[i].monitored) == wanted[i]);
  CHECK(plan_runs({}, {}, 3, false).size() == 3);
}

TEST_CASE("every rank count runs with every thread count") {
  std::vector<std::tuple<int, int, int>> order;
  for (const Planned& planned : plan_runs({1, 2}, {1, 4}, 2, false))
    order.push_back({planned.repeat, planned.size.ranks, planned.size.threads});
  CHECK(order == std::vector<std::tuple<int, int, int>>{
                     {1, 1, 1}, {1, 1, 4}, {1, 2, 1}, {1, 2, 4}, {2, 1, 1}, {2, 1, 4}, {2, 2, 1}, {2, 2, 4}});
  CHECK(plan_runs({}, {1, 2}, 1, false).size() == 2);
}

TEST_CASE("intrusion is the median of paired ratios") {
  // Ratios 1.01, 1.03, 1.02: +1 %, +3 %, +2 %.
  const Intrusion three = overhead_of({{101, 100}, {206, 200}, {51, 50}});
  CHECK(three.percent == Approx(2));
  CHECK(!three.interval);
  CHECK(*three.low == Approx(1));
  CHECK(*three.high == Approx(3));
  // Six pairs: the exact interval of the median is [x1, x6], at 96.9 %.
  const Intrusion six = overhead_of({{101, 100}, {102, 100}, {103, 100}, {104, 100}, {105, 100}, {106, 100}});
  CHECK(six.percent == Approx(3.5));
  CHECK(six.interval);
  CHECK(*six.low == Approx(1));
  CHECK(*six.high == Approx(6));
  // Nine: [x2, x8].
  std::vector<Pair> nine;
  for (int i = 1; i <= 9; ++i) nine.push_back({100.0 + i, 100.0});
  CHECK(*overhead_of(nine).low == Approx(2));
  CHECK(*overhead_of(nine).high == Approx(8));
  CHECK(!overhead_of({{1, 1}}).low);
}

TEST_CASE("names with %p") {
  CHECK(ranks_in_name("p16.2.andes", "p%p.2.andes") == 16);
  CHECK(!ranks_in_name("p16.3.andes", "p%p.2.andes"));
  CHECK(!ranks_in_name("px.2.andes", "p%p.2.andes"));
  CHECK(ranks_in_name("a%p4", "a%%p%p") == 4);
  CHECK(expand_output("%x-%%-%p", "a%b") == "a%%b-%%-%p");
}

TEST_CASE("what stands for a program or a job in a name leads nowhere") {
  setenv("SLURM_JOB_ID", "../../job\n7", 1);
  CHECK(expand_output("%x-%j.andes", "a/../b") == "a_.._b-_._.._job_7.andes");
  CHECK(expand_output("%x", ".hidden") == "_hidden");
  unsetenv("SLURM_JOB_ID");
  CHECK(program_name(read_command({"./a\nb"})) == "a_b");
}

TEST_CASE("the word that was meant") {
  CHECK(nearest("recursoin", {"monitor", "recursion"}) == "recursion");
  CHECK(nearest("rnu", {"rank", "run"}) == "run"); // neighbours in each other's place: one letter
  CHECK(nearest("xyz", {"monitor", "recursion"}).empty());
  CHECK(nearest(std::string(81, 'x'), {std::string(80, 'x')}).empty());
}

TEST_CASE("times in words") {
  CHECK(in_words(44.6) == "45 s");
  CHECK(in_words(130) == "2 min 10 s");
  CHECK(in_words(11100) == "3 h 5 min");
}

TEST_CASE("launchers and programs") {
  const Command srun = read_command({"srun", "-n", "4", "-c", "2", "/bin/true", "-n"});
  CHECK(srun.has_launcher);
  CHECK(program_name(srun) == "true");
  CHECK(ranks_asked(srun) == 4);
  const Command plain = read_command({"/bin/true", "mpirun"});
  CHECK(!plain.has_launcher);
  CHECK(is_program(plain));
  CHECK(ranks_asked(plain) == 1);
  CHECK(!is_program(read_command({"sh", "-c", "x"})));
  CHECK(is_program(read_command({"env", "A=1", "/bin/true"})));
  CHECK(!is_program(read_command({"timeout", "60", "/bin/true"})));
  // -l is a flag of hydra and takes a value with jsrun.
  CHECK(program_name(read_command({"mpiexec", "-n", "2", "-l", "/bin/true", "/bin/cat"})) == "true");
  CHECK(program_name(read_command({"jsrun", "-n", "2", "-l", "cpu-cpu", "/bin/true"})) == "true");
  Command several = read_command({"mpirun", "-n", "1", "/bin/true", ":", "-n", "2", "/bin/cat"});
  several.family = MpiFamily::open_mpi;
  CHECK(with_variables(several, {"A=1"}, "lib.so") ==
        std::vector<std::string>{"mpirun", "-x", "A", "-n", "1", "/bin/true", ":", "-x", "A", "-n", "2", "/bin/cat"});
  Command own = read_command({"mpirun", "-x", "OMP_NUM_THREADS={t}", "-n", "{p}", "/bin/true"});
  own.family = MpiFamily::open_mpi; // which refuses a variable that is named twice
  CHECK(with_variables(own, {"A=1", "OMP_NUM_THREADS=4"}, "lib.so") ==
        std::vector<std::string>{"mpirun", "-x", "A", "-x", "OMP_NUM_THREADS={t}", "-n", "{p}", "/bin/true"});
}

TEST_CASE("a script of Python names its runs") {
  const auto name_of = [](std::vector<std::string> words) { return program_name(read_command(words)); };
  CHECK(name_of({"mpirun", "-n", "2", "/usr/bin/python3", "-u", "-m", "andes", "dir/solve.py", "8"}) == "solve");
  CHECK(name_of({"/usr/bin/python3", "-m", "andes", "--every", "-m", "package.tool"}) == "package.tool");
  CHECK(name_of({"/usr/bin/python3", "-W", "ignore", "solve.py"}) == "solve");
  CHECK(name_of({"/usr/bin/python3"}) == "python3");
}

TEST_CASE("a program that is missing is not confused with its arguments") {
  CHECK(program_name(read_command({"mpirun", "-n", "2", "./missing-program", "true"})) == "missing-program");
  CHECK(program_name(read_command({"mpirun", "--unknown-option", "5", "/bin/true"})) == "true");
}
