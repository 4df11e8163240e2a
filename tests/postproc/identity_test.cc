// Call paths of two builds, with answers by hand. A profile is written as its call tree; an answer has a line for each
// call path of the newer build: its names, and those of the older one, where they are not the same.
#include "postproc/analysis/identity.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "postproc/analysis/paths.h"

using namespace andes::postproc;

namespace {

/// Lines `NAME [FILE:LINE] [kind=KIND] [visits=N]`, callees further to the right. MPI_ is an exchange; visits are 1.
Profile profile_of(const std::string& text, const std::string& hash = "old") {
  Profile profile;
  profile.facts = {{"executable_hash", hash}};
  profile.ranks = 1;
  profile.wall_s = 1;
  profile.regions = {{"(program)", "root", "", 0}};
  profile.callpaths = {{-1, 0}};
  std::vector<double> visits{1};
  std::vector<std::pair<std::size_t, int>> open{{0, 0}}; // indentation, call path
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == line.npos) continue;
    std::istringstream words(line);
    Region region;
    words >> region.name;
    region.kind = region.name.starts_with("MPI_")           ? "exchange"
                  : region.name.find("{loop:") != line.npos ? "loop"
                                                            : "function";
    double count = 1;
    for (std::string word; words >> word;) {
      const auto colon = word.rfind(':');
      if (word.starts_with("kind=")) region.kind = word.substr(5);
      else if (word.starts_with("visits=")) count = std::stod(word.substr(7));
      else region.file = word.substr(0, colon), region.line = std::stoi(word.substr(colon + 1));
    }
    const auto same = [&](const Region& r) {
      return r.name == region.name && r.file == region.file && r.line == region.line;
    };
    auto at = std::find_if(profile.regions.begin(), profile.regions.end(), same);
    if (at == profile.regions.end()) at = profile.regions.insert(at, region);
    while (open.size() > 1 && open.back().first >= indent) open.pop_back();
    open.emplace_back(indent, static_cast<int>(profile.callpaths.size()));
    profile.callpaths.push_back({open[open.size() - 2].second, static_cast<int>(at - profile.regions.begin())});
    visits.push_back(count);
  }
  profile.statistics.resize(profile.callpaths.size() * profile.metrics());
  for (std::size_t i = 0; i < visits.size(); ++i)
    profile.statistics[i * profile.metrics() + andes::run_file::visits].sum = visits[i];
  profile.locations.resize(1);
  return profile;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ">") + name;
  return text;
}

/// `new path`, `new path = old path`, or `+ new path`; ` ? likeness` of guesses; `- old path`.
std::vector<std::string> told(const std::string& older, const std::string& newer) {
  BuildTree before, after;
  add_run(before, profile_of(older));
  add_run(after, profile_of(newer));
  const std::vector<Match> matches = match_paths(before, after);
  std::vector<bool> found(before.paths.size());
  std::vector<std::string> lines;
  for (std::size_t b = 1; b < matches.size(); ++b) {
    const Match& m = matches[b];
    std::string line = joined(path_of(after, static_cast<int>(b)));
    if (m.older < 0) {
      lines.push_back("+ " + line);
      continue;
    }
    CHECK_FALSE(found[static_cast<std::size_t>(m.older)]);
    found[static_cast<std::size_t>(m.older)] = true;
    if (const std::string was = joined(path_of(before, m.older)); was != line) line += " = " + was;
    CHECK(m.is_guess() != m.reason.empty());
    if (m.is_guess()) line += std::string(" ? ") + name_of(m.by);
    lines.push_back(line);
  }
  for (std::size_t a = 1; a < found.size(); ++a)
    if (!found[a]) lines.push_back("- " + joined(path_of(before, static_cast<int>(a))));
  return lines;
}

using Answer = std::vector<std::string>;

} // namespace

TEST_CASE("lines that move and functions that come leave the others what they are") {
  CHECK(told("main a.c:50\n step a.c:20\n  MPI_Send\n  MPI_Recv\n",
             "main a.c:90\n setup a.c:5\n step a.c:60\n  MPI_Recv\n  scale a.c:30\n  MPI_Send\n") ==
        Answer{"main", "+ main>setup", "main>step", "main>step>MPI_Recv", "+ main>step>scale", "main>step>MPI_Send"});
}

TEST_CASE("another checkout has the same files, unless two would fit") {
  CHECK(told("main /home/a/src/x.c:9\n f /home/a/src/y/x.c:3\n", "main /tmp/b/src/x.c:9\n f /tmp/b/src/y/x.c:3\n") ==
        Answer{"main", "main>f"});
}

TEST_CASE("loops are known by what is in them and by their place in the function, never by the line in their name") {
  CHECK(told("main a.c:10\n main::{loop:14} a.c:14\n  f a.c:1\n main::{loop:24} a.c:24\n  g a.c:5\n",
             "main a.c:20\n main::{loop:24} a.c:24\n  f a.c:1\n main::{loop:34} a.c:34\n  g a.c:5\n") ==
        Answer{"main", "main>main::{loop:24} = main>main::{loop:14}", "main>main::{loop:24}>f = main>main::{loop:14}>f",
               "main>main::{loop:34} = main>main::{loop:24}", "main>main::{loop:34}>g = main>main::{loop:24}>g"});
  // One came before the other two, which the line of the second would hide.
  CHECK(told("main a.c:10\n main::{loop:14} a.c:14\n  f a.c:1\n main::{loop:24} a.c:24\n  g a.c:5\n",
             "main a.c:10\n main::{loop:14} a.c:14\n  h a.c:7\n main::{loop:24} a.c:24\n  f a.c:1\n main::{loop:34} "
             "a.c:34\n  g a.c:5\n") == Answer{"main", "+ main>main::{loop:14}", "+ main>main::{loop:14}>h",
                                              "main>main::{loop:24} = main>main::{loop:14} ? order",
                                              "main>main::{loop:24}>f = main>main::{loop:14}>f ? below",
                                              "main>main::{loop:34} = main>main::{loop:24} ? order",
                                              "main>main::{loop:34}>g = main>main::{loop:24}>g ? below"});
}

TEST_CASE("loops inside of each other that move by a line keep their order") {
  const std::string tree =
      "main a.c:10\n main::{loop:1A} a.c:1A\n  main::{loop:1B} a.c:1B\n   main::{loop:1C} a.c:1C\n    f a.c:1\n";
  const auto at = [&](char from) {
    std::string text = tree;
    for (char& c : text)
      if (c >= 'A' && c <= 'C') c = static_cast<char>(from + c - 'A');
    return text;
  };
  const Answer answer = told(at('1'), at('2'));
  CHECK(answer.size() == 5);
  CHECK(answer[1] == "main>main::{loop:12} = main>main::{loop:11}");
  CHECK(answer[3] ==
        "main>main::{loop:12}>main::{loop:13}>main::{loop:14} = main>main::{loop:11}>main::{loop:12}>main::{loop:13}");
}

TEST_CASE("of loops that nothing tells apart none is taken; how often they run may tell") {
  CHECK(told("main a.c:10\n main::{loop:14} a.c:14\n",
             "main a.c:10\n main::{loop:15} a.c:15\n main::{loop:18} a.c:18\n") ==
        Answer{"main", "+ main>main::{loop:15}", "+ main>main::{loop:18}", "- main>main::{loop:14}"});
  CHECK(told("main a.c:10\n main::{loop:14} a.c:14 visits=7\n",
             "main a.c:10\n main::{loop:15} a.c:15\n main::{loop:18} a.c:18 visits=7\n") ==
        Answer{"main", "+ main>main::{loop:15}", "main>main::{loop:18} = main>main::{loop:14} ? order"});
}

TEST_CASE("lambdas are found in their function, also where others call them, and inside of each other") {
  CHECK(
      told(
          "main a.cc:10\n for_each a.cc:2\n  main::{lambda:12} a.cc:12\n   main::{lambda:12}::{lambda:13} a.cc:13\n",
          "main a.cc:30\n for_each a.cc:2\n  main::{lambda:32} a.cc:32\n   main::{lambda:32}::{lambda:33} a.cc:33\n") ==
      Answer{"main", "main>for_each", "main>for_each>main::{lambda:32} = main>for_each>main::{lambda:12}",
             "main>for_each>main::{lambda:32}>main::{lambda:32}::{lambda:33} = "
             "main>for_each>main::{lambda:12}>main::{lambda:12}::{lambda:13}"});
}

TEST_CASE("a renamed file is offered") {
  CHECK(told("main a.c:30\n f b.c:1\n g b.c:9\n", "main a.c:30\n f c.c:1\n g c.c:9\n") ==
        Answer{"main", "main>f ? file", "main>g ? file"});
  // A function that went to another file that was there before, and static functions of one name.
  CHECK(told("main a.c:30\n f b.c:1\n g b.c:9\n g a.c:9\n", "main a.c:30\n f a.c:1\n g a.c:9\n g b.c:9\n") ==
        Answer{"main", "main>f ? file", "main>g", "main>g"});
}

TEST_CASE("template arguments and parameters may change") {
  CHECK(told("main a.cc:30\n Grid<double>::step a.cc:3\n norm a.cc:9\n",
             "main a.cc:30\n Grid<double,3>::step a.cc:3\n norm(int) a.cc:9\n norm(Field) a.cc:15\n  MPI_Bcast\n") ==
        Answer{"main", "main>Grid<double,3>::step = main>Grid<double>::step ? arguments",
               "main>norm(int) = main>norm ? arguments", "+ main>norm(Field)", "+ main>norm(Field)>MPI_Bcast"});
}

TEST_CASE("functions that come into another scope are offered, unless nothing speaks for it") {
  CHECK(told("main a.c:9\n Grid::step a.c:3\n  Cell::flux a.c:1\n",
             "main a.c:9\n ns::Mesh::step a.c:3\n  ns::flux a.c:1\n") ==
        Answer{"main", "main>ns::Mesh::step = main>Grid::step ? scope",
               "main>ns::Mesh::step>ns::flux = main>Grid::step>Cell::flux ? scope"});
  CHECK(told("main a.c:9\n A::run a.c:1\n  A::step a.c:3\n", "main a.c:9\n other a.c:2\n  B::step a.c:3\n") ==
        Answer{"main", "+ main>other", "+ main>other>B::step", "- main>A::run", "- main>A::run>A::step"});
}

TEST_CASE("renamed functions are offered with reasons, others are not") {
  CHECK(told("main a.c:30\n exchange a.c:5\n  MPI_Isend\n  MPI_Waitall\n", // by what it calls
             "main a.c:30\n halo a.c:5\n  MPI_Isend\n  MPI_Waitall\n") ==
        Answer{"main", "main>halo = main>exchange ? renamed", "main>halo>MPI_Isend = main>exchange>MPI_Isend ? below",
               "main>halo>MPI_Waitall = main>exchange>MPI_Waitall ? below"});
  CHECK(told("main a.c:30\n calc_pressure a.c:5 visits=10\n calc_speed a.c:9 visits=10\n", // by name and calls
             "main a.c:30\n eval_pressure a.c:5 visits=10\n calc_speed a.c:9 visits=10\n") ==
        Answer{"main", "main>eval_pressure = main>calc_pressure ? renamed", "main>calc_speed"});
  CHECK(told("main a.c:30\n log_step a.c:25\n  MPI_Reduce\n", "main a.c:30\n checkpoint a.c:25\n  MPI_File_write\n") ==
        Answer{"main", "+ main>checkpoint", "+ main>checkpoint>MPI_File_write", "- main>log_step",
               "- main>log_step>MPI_Reduce"});
  CHECK(told("main a.c:30\n fold a.c:25 visits=3\n", "main a.c:30\n spread b.c:2 visits=4\n") ==
        Answer{"main", "+ main>spread", "- main>fold"});
}

TEST_CASE("of two that may be it, none is taken") {
  CHECK(told("main a.c:30\n exchange a.c:5\n  MPI_Isend\n  MPI_Waitall\n",
             "main a.c:30\n left a.c:5\n  MPI_Isend\n  MPI_Waitall\n right a.c:9\n  MPI_Isend\n  MPI_Waitall\n")[1] ==
        "+ main>left");
}

TEST_CASE("lambdas and loops go with their renamed function") {
  CHECK(told("main a.c:30\n relax a.c:5\n  relax::{loop:6} a.c:6\n   MPI_Isend\n  MPI_Waitall\n",
             "main a.c:30\n smooth a.c:5\n  smooth::{loop:6} a.c:6\n   MPI_Isend\n  MPI_Waitall\n") ==
        Answer{"main", "main>smooth = main>relax ? renamed",
               "main>smooth>smooth::{loop:6} = main>relax>relax::{loop:6} ? below",
               "main>smooth>smooth::{loop:6}>MPI_Isend = main>relax>relax::{loop:6}>MPI_Isend ? below",
               "main>smooth>MPI_Waitall = main>relax>MPI_Waitall ? below"});
}

TEST_CASE("a function divided in two keeps what it calls") {
  const std::string whole = "main a.c:50\n step a.c:5\n  f a.c:1\n  g a.c:2\n   MPI_Bcast\n  MPI_Barrier\n";
  // The second half is called by the first
  CHECK(
      told(whole, "main a.c:50\n step a.c:5\n  f a.c:1\n  rest a.c:15\n   g a.c:2\n    MPI_Bcast\n   MPI_Barrier\n") ==
      Answer{"main", "main>step", "main>step>f", "+ main>step>rest", "main>step>rest>g = main>step>g ? split",
             "main>step>rest>g>MPI_Bcast = main>step>g>MPI_Bcast ? below",
             "main>step>rest>MPI_Barrier = main>step>MPI_Barrier ? split"});
  // or by its caller
  CHECK(told(whole, "main a.c:50\n step a.c:5\n  f a.c:1\n rest a.c:15\n  g a.c:2\n   MPI_Bcast\n  MPI_Barrier\n") ==
        Answer{"main", "main>step", "main>step>f", "+ main>rest", "main>rest>g = main>step>g ? split",
               "main>rest>g>MPI_Bcast = main>step>g>MPI_Bcast ? below",
               "main>rest>MPI_Barrier = main>step>MPI_Barrier ? split"});
  // and back again: both become one.
  CHECK(told("main a.c:50\n step a.c:5\n  f a.c:1\n  rest a.c:15\n   g a.c:2\n    MPI_Bcast\n   MPI_Barrier\n",
             whole) == Answer{"main", "main>step", "main>step>f", "main>step>g = main>step>rest>g ? split",
                              "main>step>g>MPI_Bcast = main>step>rest>g>MPI_Bcast ? below",
                              "main>step>MPI_Barrier = main>step>rest>MPI_Barrier ? split", "- main>step>rest"});
}

TEST_CASE("a loop goes with the half of the function that it is in") {
  CHECK(told("main a.c:50\n step a.c:5\n  step::{loop:6} a.c:6\n   f a.c:1\n  step::{loop:9} a.c:9\n   g a.c:2\n",
             "main a.c:50\n step a.c:5\n  step::{loop:6} a.c:6\n   f a.c:1\n  rest a.c:15\n   rest::{loop:16} a.c:16\n "
             "   g "
             "a.c:2\n") == Answer{"main", "main>step", "main>step>step::{loop:6} ? order",
                                  "main>step>step::{loop:6}>f ? below", "+ main>step>rest",
                                  "main>step>rest>rest::{loop:16} = main>step>step::{loop:9} ? split",
                                  "main>step>rest>rest::{loop:16}>g = main>step>step::{loop:9}>g ? below"});
}

TEST_CASE("of a divided function two loops over one lambda are found by how often each calls it") {
  CHECK(
      told(
          "main a.c:1\n f a.c:10\n"
          "  f::{loop:12} a.c:12\n   f::{lambda:11} a.c:11 visits=2\n    g b.c:1 visits=2\n"
          "  f::{loop:13} a.c:13\n   f::{lambda:11} a.c:11 visits=3\n    g b.c:1 visits=3\n",
          "main a.c:1\n f a.c:20\n"
          "  f::{loop:24} a.c:24\n   f::{lambda:23} a.c:23 visits=2\n    g b.c:1 visits=2\n"
          "  rest a.c:10\n   rest::{loop:12} a.c:12\n    rest::{lambda:11} a.c:11 visits=3\n     g b.c:1 visits=3\n") ==
      Answer{"main", "main>f", "main>f>f::{loop:24} = main>f>f::{loop:12} ? order",
             "main>f>f::{loop:24}>f::{lambda:23} = main>f>f::{loop:12}>f::{lambda:11} ? below",
             "main>f>f::{loop:24}>f::{lambda:23}>g = main>f>f::{loop:12}>f::{lambda:11}>g ? below", "+ main>f>rest",
             "main>f>rest>rest::{loop:12} = main>f>f::{loop:13} ? split",
             "+ main>f>rest>rest::{loop:12}>rest::{lambda:11}",
             "main>f>rest>rest::{loop:12}>rest::{lambda:11}>g = main>f>f::{loop:13}>f::{lambda:11}>g ? split",
             "- main>f>f::{loop:13}>f::{lambda:11}"});
}

TEST_CASE("loops of one shape go with their half of a divided function, in the order in which a rank comes to them") {
  const std::string whole =
      "main a.c:1\n f a.c:10\n  f::{loop:11} a.c:11\n  f::{loop:12} a.c:12\n  f::{loop:13} a.c:13\n";
  // The last two; the line in f says the same.
  CHECK(told(whole, "main a.c:1\n f a.c:20\n  f::{loop:21} a.c:21\n  rest a.c:10\n   rest::{loop:11} a.c:11\n   "
                    "rest::{loop:12} a.c:12\n") ==
        Answer{"main", "main>f", "main>f>f::{loop:21} = main>f>f::{loop:11} ? order", "+ main>f>rest",
               "main>f>rest>rest::{loop:11} = main>f>f::{loop:12} ? split",
               "main>f>rest>rest::{loop:12} = main>f>f::{loop:13} ? split"});
  // The first two; what is left in f is at the line that the second one had.
  CHECK(told(whole, "main a.c:1\n f a.c:20\n  rest a.c:10\n   rest::{loop:11} a.c:11\n   rest::{loop:12} a.c:12\n  "
                    "f::{loop:22} a.c:22\n") == Answer{"main", "main>f", "+ main>f>rest",
                                                       "main>f>rest>rest::{loop:11} = main>f>f::{loop:11} ? split",
                                                       "main>f>rest>rest::{loop:12} = main>f>f::{loop:12} ? split",
                                                       "main>f>f::{loop:22} = main>f>f::{loop:13} ? order"});
  // and both become one again.
  CHECK(told("main a.c:1\n f a.c:20\n  rest a.c:10\n   rest::{loop:11} a.c:11\n   rest::{loop:12} a.c:12\n  "
             "f::{loop:22} a.c:22\n",
             whole) == Answer{"main", "main>f", "main>f>f::{loop:11} = main>f>rest>rest::{loop:11} ? split",
                              "main>f>f::{loop:12} = main>f>rest>rest::{loop:12} ? split",
                              "main>f>f::{loop:13} = main>f>f::{loop:22} ? order", "- main>f>rest"});
}

TEST_CASE("a loop or lambda all of whose work became a function is the same") {
  CHECK(told("main a.c:1\n f a.c:10\n  f::{lambda:11} a.c:11\n   g b.c:1\n   h b.c:2\n",
             "main a.c:1\n f a.c:20\n  f::{lambda:21} a.c:21\n   part a.c:10\n    g b.c:1\n    h b.c:2\n") ==
        Answer{"main", "main>f", "main>f>f::{lambda:21} = main>f>f::{lambda:11} ? order",
               "+ main>f>f::{lambda:21}>part", "main>f>f::{lambda:21}>part>g = main>f>f::{lambda:11}>g ? split",
               "main>f>f::{lambda:21}>part>h = main>f>f::{lambda:11}>h ? split"});
  // One that does other things is not.
  CHECK(told("main a.c:1\n f a.c:10\n  f::{lambda:11} a.c:11\n   g b.c:1\n h b.c:2\n",
             "main a.c:1\n f a.c:20\n  f::{lambda:21} a.c:21\n   part a.c:10\n    k b.c:3\n h b.c:2\n") ==
        Answer{"main", "main>f", "+ main>f>f::{lambda:21}", "+ main>f>f::{lambda:21}>part",
               "+ main>f>f::{lambda:21}>part>k", "main>h", "- main>f>f::{lambda:11}", "- main>f>f::{lambda:11}>g"});
}

TEST_CASE("a new loop between those of one shape: lines before and behind it must agree") {
  const std::string before = "main a.c:1\n f a.c:10\n  f::{loop:12} a.c:12\n  f::{loop:20} a.c:20\n";
  // Before the second one, which is as far from the end as it was, as the new one is from the begin.
  CHECK(told(before, "main a.c:1\n f a.c:10\n  f::{loop:12} a.c:12\n  f::{loop:20} a.c:20\n  f::{loop:21} a.c:21\n") ==
        Answer{"main", "main>f", "main>f>f::{loop:12} ? order", "+ main>f>f::{loop:20}", "+ main>f>f::{loop:21}",
               "- main>f>f::{loop:20}"});
  // At the end, with a line between: the second one is where it was.
  CHECK(told(before, "main a.c:1\n f a.c:10\n  f::{loop:12} a.c:12\n  f::{loop:20} a.c:20\n  f::{loop:30} a.c:30\n  "
                     "f::{lambda:31} a.c:31\n") == Answer{"main", "main>f", "main>f>f::{loop:12} ? order",
                                                          "main>f>f::{loop:20} ? order", "+ main>f>f::{loop:30}",
                                                          "+ main>f>f::{lambda:31}"});
}

TEST_CASE("of a divided function without one of its loops, nothing tells which loop is left") {
  CHECK(told("main a.c:1\n f a.c:10\n  f::{loop:11} a.c:11\n  f::{loop:12} a.c:12\n",
             "main a.c:1\n f a.c:20\n  rest a.c:10\n   rest::{loop:11} a.c:11\n") ==
        Answer{"main", "main>f", "+ main>f>rest", "+ main>f>rest>rest::{loop:11}", "- main>f>f::{loop:11}",
               "- main>f>f::{loop:12}"});
}

TEST_CASE("a function that another one calls now is offered, MPI calls are not") {
  CHECK(told("main a.c:50\n a a.c:5\n  f a.c:1\n  MPI_Barrier\n b a.c:9\n",
             "main a.c:50\n a a.c:5\n b a.c:9\n  f a.c:1\n  MPI_Barrier\n") ==
        Answer{"main", "main>a", "main>b", "main>b>f = main>a>f ? moved", "+ main>b>MPI_Barrier",
               "- main>a>MPI_Barrier"});
}

TEST_CASE("within a build nothing is guessed, whatever the sizes call") {
  const Profile one = profile_of("main a.c:30\n alone a.c:5\n  f a.c:1\n", "same"),
                two = profile_of("main a.c:30\n shared a.c:9\n  f a.c:1\n", "same");
  const SharedPaths same = shared_paths({&one, &two}, builds_of({&one, &two}));
  CHECK(same.paths.size() == 6);
  CHECK(same.of == std::vector<std::vector<int>>{{0, 1, 2, 3}, {0, 1, 4, 5}});
}

TEST_CASE("of three builds each call path has one row, with its names in the newest and in the one it was guessed of") {
  const Profile first = profile_of("main a.c:30\n exchange a.c:5\n  MPI_Isend\n  MPI_Waitall\n gone a.c:1\n", "1"),
                second = profile_of("main a.c:30\n halo a.c:5\n  MPI_Isend\n  MPI_Waitall\n", "2"),
                third = profile_of("main a.c:33\n halo a.c:5\n  MPI_Isend\n  MPI_Waitall\n came a.c:2\n", "3");
  const std::vector<const Profile*> runs{&first, &second, &third, &first};
  const SharedPaths shared = shared_paths(runs, builds_of(runs));
  REQUIRE(shared.paths.size() == 7);
  CHECK(shared.of ==
        std::vector<std::vector<int>>{{0, 1, 2, 3, 4, 6}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 6}});
  CHECK(shared.paths[2].name == "halo");
  CHECK(shared.paths[2].builds == 3);
  CHECK(shared.paths[2].guess.by == Likeness::renamed);
  CHECK(shared.paths[2].guess.reason ==
        "renamed from exchange: the same callers, callees, as many calls and the same place "
        "in its file");
  CHECK(shared.paths[2].was == std::vector<std::string>{"main", "exchange"});
  CHECK(shared.paths[1].line == 33);
  CHECK(shared.paths[5].builds == 1);
  CHECK(shared.paths[6].name == "gone");
  CHECK(shared.paths[6].parent == 1);
}
