// Unit tests of what starts runs: rank lists, launcher commands, plans, the intrusion.
#include <catch2/catch.hpp>
#include <functional>

#include "common/message.h"
#include "common/nearest.h"
#include "postproc/launch/axes.h"
#include "postproc/launch/count_list.h"
#include "postproc/launch/file_names.h"
#include "postproc/launch/launcher.h"
#include "postproc/launch/naming.h"
#include "postproc/launch/overhead.h"
#include "postproc/launch/plan.h"
#include "postproc/launch/repeats.h"
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
  CHECK(words_for({"-n", "{p}", "a{p}b{p}", "{t}"}, {12, 0}) == std::vector<std::string>{"-n", "12", "a12b12", "{t}"});
  CHECK(words_for({"{p}", "pe={t}"}, {2, 4}) == std::vector<std::string>{"2", "pe=4"});
}

TEST_CASE("the two runs of a pair change places from turn to turn") {
  const auto order = [](int repeat) {
    std::vector<std::pair<int, bool>> starts;
    for (const Planned& planned : plan_turn(sizes_of({.ranks = {1, 2}}), repeat, true))
      starts.push_back({planned.size.ranks, planned.monitored});
    return starts;
  };
  CHECK(order(1) == std::vector<std::pair<int, bool>>{{1, false}, {1, true}, {2, false}, {2, true}});
  CHECK(order(2) == std::vector<std::pair<int, bool>>{{1, true}, {1, false}, {2, true}, {2, false}});
  CHECK(plan_turn(sizes_of({}), 3, false).size() == 1);
}

/// What is said of the sizes, joined by "; ".
std::string sizes_text(const SizeLists& lists) {
  std::string text;
  for (const Size& size : sizes_of(lists)) text += (text.empty() ? "" : "; ") + describe(size);
  return text;
}

std::string refusal_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return {};
}

TEST_CASE("all lists are crossed unless they are paired") {
  const AxisList n{"N", {"10", "20"}}, file{"file", {"a.dat", "b.dat"}};
  CHECK(sizes_text({.ranks = {1, 2}, .threads = {1, 4}}) == "p = 1, t = 1; p = 1, t = 4; p = 2, t = 1; p = 2, t = 4");
  CHECK(sizes_text({.threads = {1, 2}}) == "t = 1; t = 2");
  CHECK(sizes_text({.ranks = {1, 2}, .axes = {n}}) == "N = 10, p = 1; N = 10, p = 2; N = 20, p = 1; N = 20, p = 2");
  CHECK(sizes_text({.axes = {n, file}, .zipped = {"N", "file"}}) == "N = 10, file = a.dat; N = 20, file = b.dat");
  CHECK(sizes_text({.ranks = {1, 4}, .axes = {n, file}, .zipped = {"p", "N"}}) ==
        "N = 10, file = a.dat, p = 1; N = 10, file = b.dat, p = 1; N = 20, file = a.dat, p = 4; "
        "N = 20, file = b.dat, p = 4");
  const AxisList three{"N", {"1", "2", "3"}};
  CHECK(refusal_of([&] { sizes_of({.ranks = {1, 2}, .axes = {three}, .zipped = {"p", "N"}}); }) ==
        "--zip p,N: N has 3 values, and p has 2; give lists of the same length");
  CHECK(refusal_of([] { sizes_of({.axes = {{"N", {"1", "1"}}}}); }) ==
        "--vary: N = 1 is named twice; use --repeat for more runs of a size");
}

TEST_CASE("the axis of a weak sweep grows with the ranks") {
  CHECK(sizes_text({.ranks = {2, 4, 6}, .axes = {{"N", {"100", "300"}}}, .weak = "N"}) ==
        "N = 100, p = 2; N = 200, p = 4; N = 300, p = 6; N = 300, p = 2; N = 600, p = 4; N = 900, p = 6");
  CHECK(sizes_text({.ranks = {1, 4}, .axes = {{"h", {"0.5"}}}, .weak = "h"}) == "h = 0.5, p = 1; h = 2, p = 4");
  const std::vector<Size> paired =
      sizes_of({.ranks = {4, 1}, .axes = {{"N", {"200", "100"}}}, .zipped = {"N", "p"}, .weak = "N"});
  CHECK(describe(paired[0]) == "N = 200, p = 4"); // the user says how it grows
  CHECK(paired[0].weak_base == "100");
  CHECK(refusal_of([] { sizes_of({.ranks = {2, 3}, .axes = {{"N", {"101"}}}, .weak = "N"}); }) ==
        "--weak N: 101 x 3 / 2 is not a whole number; give a multiple of 2, or pair the values with the ranks: --zip "
        "p,N");
  CHECK(refusal_of([] { sizes_of({.ranks = {1, 2}, .axes = {{"f", {"a.dat"}}}, .weak = "f"}); }) ==
        "--weak f: \"a.dat\" is not a number that could grow with the ranks; give numbers, or pair the values with the "
        "ranks: --zip p,f");
}

TEST_CASE("an axis is a name and a list of texts") {
  CHECK(read_axis("file=a=1,b c").values == std::vector<std::string>{"a=1", "b c"});
  const std::string remedy = "; write for example --vary N=1000,2000,4000";
  CHECK(refusal_of([] { read_axis("N"); }) == "--vary N: the values are missing" + remedy);
  CHECK(refusal_of([] { read_axis("N=1,,2"); }) == "--vary N=1,,2: a value is missing" + remedy);
  CHECK(refusal_of([] { read_axis("N="); }) == "--vary N=: a value is missing" + remedy);
  CHECK(refusal_of([] { read_axis("2N=1"); }) == "--vary 2N=1: \"2N\" is not a name of letters, digits and _" + remedy);
  CHECK(refusal_of([] { read_axis("p=1"); }) ==
        "--vary p=1: {p} stands for the number of ranks; use --ranks, or another name");
  CHECK(words_for({"{N}", "{N}{p}", "{x}"}, {2, 0, {{"N", "{p}"}}}) == std::vector<std::string>{"{p}", "{p}2", "{x}"});
}

TEST_CASE("names of run files sort as the sizes do and tell them") {
  const auto names_of = [](const SizeLists& lists, const Repeats& repeats, int repeat) {
    const std::vector<Size> sizes = sizes_of(lists);
    const FileNames names(sizes, repeats);
    std::vector<std::string> all;
    for (const Size& size : sizes) all.push_back(names.pattern(size, repeat));
    return all;
  };
  CHECK(names_of({.ranks = {1, 16}}, {6}, 2) == std::vector<std::string>{"p1.2.andes", "p16.2.andes"});
  CHECK(names_of({}, {1}, 1) == std::vector<std::string>{"p%p.1.andes"});
  CHECK(names_of({.ranks = {4}}, {99, true}, 7) == std::vector<std::string>{"p4.07.andes"});
  CHECK(names_of({.ranks = {16}, .threads = {2}, .axes = {{"N", {"500", "1000"}}, {"B", {"8"}}}}, {10}, 3) ==
        std::vector<std::string>{"N=0500.B=8.p16t2.03.andes", "N=1000.B=8.p16t2.03.andes"});
  // Texts that are no names; the second and third would be alike.
  CHECK(names_of({.axes = {{"f", {"50%", "a/b", "a_b"}}}}, {1}, 1) ==
        std::vector<std::string>{"f=1-50%%.p%p.1.andes", "f=2-a_b.p%p.1.andes", "f=3-a_b.p%p.1.andes"});
}

TEST_CASE("repeats until the interval is narrow") {
  const Repeats plain = read_repeats("auto"), both = read_repeats("auto:1.5%,2h"), time = read_repeats("auto:90s");
  CHECK((plain.automatic && plain.width_percent == 5 && plain.time_s == 600));
  CHECK((both.width_percent == 1.5 && both.time_s == 7200));
  CHECK((time.width_percent == 5 && time.time_s == 90));
  CHECK(read_repeats("6").count == 6);
  CHECK(refusal_of([] { read_repeats("auto:2"); }) ==
        "--repeat auto:2: \"2\" is neither the width of the interval in % nor a time in s, m or h; write for example "
        "6, or auto, or auto:2%,10m");
  for (const char* text : {"automatic", "auto:", "auto:0%", "auto:1%,2%", "auto:1m,2m", "auto:-1s", "auto:nan%", "0"})
    CHECK(refusal_of([text] { read_repeats(text); }).starts_with(std::string("--repeat ") + text + ": "));
  // Six values: the interval is [x1, x6]; nine: [x2, x8].
  CHECK(!interval_width_percent({1, 1, 1, 1, 1}));
  CHECK(*interval_width_percent({106, 100, 101, 99, 98, 100}) == Approx(8));
  CHECK(*interval_width_percent({100, 90, 99, 100, 101, 150, 100, 100, 100}) == Approx(2));
  CHECK(wants_repeat(plain, {100, 100, 100, 100, 100}, 0));
  CHECK(wants_repeat(plain, {100, 100, 100, 100, 100, 106}, 0));
  CHECK(!wants_repeat(plain, {100, 100, 100, 100, 100, 104}, 0));
  CHECK(!wants_repeat(plain, {}, most_failures));
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
  CHECK(starter_of(read_command({"timeout", "60", "/bin/true"})) == "timeout");
  CHECK(starter_of(read_command({"env", "A=1", "sh", "-c", "x"})) == "sh");
  CHECK(starter_of(plain).empty());
  CHECK(starter_of(srun).empty());
  const Command sampled = read_command({"perf", "record", "-o", "samples", "/bin/true"});
  CHECK(!is_program(sampled));
  CHECK(program_name(sampled) == "true");
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
