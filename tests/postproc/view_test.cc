// Text for people: widths, cuts, digits.
#include <catch2/catch.hpp>

#include "common/refusal.h"
#include "postproc/view/definitions.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"
#include "postproc/view/terminal.h"

using namespace andes;
using namespace andes::postproc;

TEST_CASE("numbers have enough digits and no more") {
  CHECK(significant(10) == "10.0");
  CHECK(significant(3.25) == "3.25");
  CHECK(significant(0.012341) == "0.0123");
  CHECK(significant(123456) == "123456");
  CHECK(significant(0) == "0");
  CHECK(significant(1.5e-6) == "1.5e-06");
  CHECK(seconds_text(3.9144) == "3.91");
  CHECK(seconds_text(0.0102) == "0.0102");
  CHECK(seconds_text(0.0003111) == "311 us");
  CHECK(seconds_text(-5.3e-18) == "0");
  CHECK(time_text(3.9144) == "3.91 s");
  CHECK(time_text(0.9876) == "988 ms");
  CHECK(time_text(2.5e-8) == "25.0 ns");
  CHECK(time_text(0) == "0 s");
  CHECK(decimals_of(0.14, 2) == 2);
  CHECK(decimals_of(-1234, 2) == 0);
  CHECK(decimals_of(0, 2) == 0);
  CHECK(signed_text(0.1449, 2) == "+0.14");
  CHECK(signed_text(-0.1449, 2) == "-0.14");
  CHECK(signed_text(0.0049, 2).empty());
  CHECK(fixed(-0.00001, 2) == "0.00");
  CHECK(fixed(std::optional<double>(), 2) == "-");
  CHECK(bytes_text(12) == "12 B");
  CHECK(bytes_text(3400) == "3.40 kB");
  CHECK(bytes_text(5.67e9) == "5.67 GB");
  CHECK(count_text(9999999) == "9999999");
  CHECK(count_text(12345678) == "12.3M");
  CHECK(percent_text(12.34) == "12.3");
  CHECK(percent_text({}).empty());
  CHECK(seconds_above_zero(0.0102) == "0.0102");
  CHECK(seconds_above_zero(0).empty());
  CHECK(seconds_above_zero(1e-13).empty());
}

TEST_CASE("times that stand beside each other have one unit and the digits of the largest") {
  const auto alike = [](const std::vector<double>& times_s) {
    const AlikeTimes times = alike_times(times_s);
    std::string text;
    for (const std::string& one : times.texts) text += one + ' ';
    return text + times.unit;
  };
  CHECK(alike({0.4684, 0.51}) == "0.468 0.510 s");
  CHECK(alike({-1e-5, 0.435}) == "0 0.435 s");
  CHECK(alike({-0.125, 0.0034}) == "-0.125 0.003 s");
  CHECK(alike({0.00396, 0.00626}) == "3.96 6.26 ms");
  CHECK(alike({4.6e-5}) == "46.0 us");
  CHECK(alike({0, 1e-13}) == "0 0 s");
  CHECK(before_and_after(8.5451, 4.7694, "->") == "8.545 -> 4.769 s");
  CHECK(before_and_after(8.4319e-5, 7.9104e-5, "->") == "84.32 -> 79.10 us"); // not 8.432e-05 s
  CHECK(before_and_after(2000, 1.6, "->") == "2000 -> 1.600 s"); // each has four digits
  CHECK(before_and_after(0.00123, 12.35, "->") == "0.001230 -> 12.35 s");
  CHECK(before_and_after(0.0098, 1.2e-5, "->") == "9.800 -> 0.01200 ms");
  CHECK(before_and_after(0.5, 1e-13, "->") == "0.5000 -> 0 s");
  CHECK(in_seconds(3.914) == "3.91 s");
  CHECK(in_seconds(0.02734) == "0.0273 s");
  CHECK(in_seconds(0.00311) == "3.11 ms");
  CHECK(in_seconds(-5.3e-18) == "0 s");
}

TEST_CASE("nouns agree with their number") {
  CHECK(counted(0, "rank") == "0 ranks");
  CHECK(counted(1, "process") == "1 process");
  CHECK(counted(2, "process") == "2 processes");
}

TEST_CASE("an interval looks different from a range") {
  CHECK(estimate_text({5.5, {}, {}, Estimate::Kind::point}, 3) == "5.50");
  CHECK(estimate_text({5.5, 5.4, 5.6, Estimate::Kind::interval}, 3) == "5.50 [5.40, 5.60]");
  CHECK(estimate_text({5.5, 5.4, 5.6, Estimate::Kind::range}, 3) == "5.50 5.40..5.60");
  CHECK(estimate_text({10, 8, {}, Estimate::Kind::interval}, 3) == "10.0 [8.00, -]");
  CHECK(seconds_spread({0, -6.13e-6, 8.56e-3, Estimate::Kind::interval}) == "[-6.13 us, 8.56 ms]");
  CHECK(seconds_spread({0, -0.029, 5.62e-3, Estimate::Kind::range}) == "-0.0290..0.0056"); // "5.62 ms" beside 0.029 s
  CHECK(seconds_spread({4, 0, 9.876, Estimate::Kind::range}) == "0..9.88");
  CHECK(fixed_text({0.1, -0.00001, 0.2, Estimate::Kind::interval}, 2) == "0.10 [0.00, 0.20]");
}

TEST_CASE("long names are cut in the middle, between characters") {
  CHECK(cut_middle("short", 10, false) == "short");
  CHECK(cut_middle("a_very_long_name", 10, false) == "a_ve..name");
  CHECK(cut_middle("a_very_long_name", 10, true) == "a_ver\u2026name");
  CHECK(width_of("\u00e9t\u00e9") == 3);
  CHECK(cut_middle("\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", 4, false) == "\u00e9..\u00e9");
}

TEST_CASE("what a terminal would obey is spelled out") {
  CHECK(printable("solve<int>(\u00e9) \u4e2d") == "solve<int>(\u00e9) \u4e2d");
  CHECK(printable("a\x1b[31mb\n\x7f") == "a\\x1b[31mb\\x0a\\x7f");
  CHECK(printable("a\u009b\u202eb\u2028") == "a\\u009b\\u202eb\\u2028");
  CHECK(printable("\xff\xc0\xaf\xed\xa0\x80z\xe4\xb8") == "\\xff\\xc0\\xaf\\xed\\xa0\\x80z\\xe4\\xb8");
  CHECK(printable("").empty());
}

TEST_CASE("of a path the last names stay whole") {
  const std::string path = "main > solve > iterate > exchange > MPI_Recv";
  CHECK(cut_path(path, 80, false) == path);
  CHECK(cut_path(path, 34, false) == ".. > iterate > exchange > MPI_Recv");
  CHECK(cut_path(path, 33, false) == ".. > exchange > MPI_Recv");
  CHECK(cut_path(path, 15, true) == "\u2026 > MPI_Recv");
  CHECK(cut_path(path, 8, false) == "MPI_Recv");
  CHECK(cut_path(path, 6, false) == "..Recv");
}

TEST_CASE("a name is cut in its templates' arguments, then in its qualifiers, at last in front") {
  const std::string name = "solver::Grid<double, 3>::apply(int)";
  CHECK(cut_name(name, 40, false) == name);
  CHECK(cut_name(name, 30, false) == "solver::Grid<..>::apply(int)");
  CHECK(cut_name(name, 27, true) == "solver::Grid<\u2026>::apply(int)");
  CHECK(cut_name(name, 24, false) == "..::Grid<..>::apply(int)");
  CHECK(cut_name(name, 14, false) == "..::apply(int)");
  CHECK(cut_name(name, 13, false) == "..::apply(..)");
  CHECK(cut_name(name, 12, false) == "..:apply(..)");
  CHECK(cut_name("Key::operator<(Key)", 18, false) == "..::operator<(Key)");
  // Not what is left of the types alone: "..Model::*)(int, double), double)".
  constexpr const char* bounded = "Tree::Optimize(double, int, void (Model::*)(int, double), double) const";
  CHECK(cut_name(bounded, 40, false) == "Tree::Optimize(..) const");
  CHECK(cut_name(bounded, 22, false) == "..::Optimize(..) const");
  CHECK(cut_name("Call::operator()(long, long)", 22, false) == "Call::operator()(..)");
  CHECK(cut_name("region (of a mark)", 10, false) == ".. a mark)");
}

TEST_CASE("names of C++ stand as their users wrote them") {
  const auto text = [](const char* name) { return readable_name(name); };
  CHECK(text("MPI_Recv") == "MPI_Recv");
  CHECK(text("print(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)") ==
        "print(std::string const&)");
  CHECK(text("sum(std::vector<std::__1::basic_string<wchar_t, std::char_traits<wchar_t>, std::allocator<wchar_t>>, "
             "std::allocator<std::__1::basic_string<wchar_t>>>)") == "sum(std::vector<std::wstring>)");
  CHECK(text("std::map<int, std::vector<double, std::allocator<double> >, std::less<int>, std::allocator<std::pair<int "
             "const, std::vector<double, std::allocator<double> > > > >::operator[](int const&)") ==
        "std::map<int, std::vector<double>>::operator[](int const&)");
  CHECK(text("std::unique_ptr<Mesh, std::default_delete<Mesh> >::reset") == "std::unique_ptr<Mesh>::reset");
  CHECK(text("void std::sort<int*, std::less<int> >(int*, int*, std::less<int>)") ==
        "void std::sort<int*, std::less<int>>(int*, int*, std::less<int>)");
  CHECK(text("name[abi:cxx11]() const") == "name() const");
  // What its user chose stays.
  CHECK(text("std::set<int, std::greater<int>, std::allocator<int> >") == "std::set<int, std::greater<int>>");
  CHECK(text("own::vector<int, std::allocator<int>>") == "own::vector<int, std::allocator<int>>");
  // What only looks like a template, and what is none.
  CHECK(text("Key::operator<(Key const&)") == "Key::operator<(Key const&)");
  CHECK(text("Key::operator<<=(int)") == "Key::operator<<=(int)");
  CHECK(text("Call::operator()(std::vector<int, std::allocator<int>>)") == "Call::operator()(std::vector<int>)");
  CHECK(text("(anonymous namespace)::Grid<2>::step") == "(anonymous namespace)::Grid<2>::step");
  CHECK(text("a::b<c") == "a::b<c");
  CHECK(text("") == "");
  CHECK(readable_name("std::" + std::string(100000, '<')).size() == 100005);
}

TEST_CASE("tables are aligned, leave out empty columns and fit the terminal") {
  Terminal terminal;
  terminal.width = 40;
  Table table;
  table.columns = {{"n"}, {"nothing"}, {"name", TableColumn::Align::left, true}, {"s"}};
  table.rows = {{"1", "", std::string(80, 'x'), "2.5"}, {"10", "", "y", "3"}};
  CHECK(table_text(terminal, table) == "   n  name                             s\n"
                                       "   1  ..xxxxxxxxxxxxxxxxxxxxxxxxxxx  2.5\n"
                                       "  10  y                                3\n");
  terminal.colour = true;
  table.rows = {{{"1", Style::red}, "", "a", "2"}};
  CHECK(table_text(terminal, table).find("\033[31m1\033[0m") != std::string::npos);
}

TEST_CASE("of several columns that give way the widest does first") {
  Terminal terminal;
  terminal.width = 70;
  Table table;
  table.columns = {{"function", TableColumn::Align::left, true}, {"s"}, {"in", TableColumn::Align::left, true}};
  table.rows = {{std::string(90, 'x'), "1", std::string(30, 'y')}};
  CHECK(table_text(terminal, table) == "  function                           s  in\n"
                                       "  .." +
                                           std::string(31, 'x') + "  1  " + std::string(30, 'y') + '\n');
  table.rows[0][2] = std::string(90, 'y');
  CHECK(table_text(terminal, table) == "  function                         s  in\n"
                                       "  .." +
                                           std::string(29, 'x') + "  1  .." + std::string(30, 'y') + '\n');
}

TEST_CASE("call paths that differ never look alike") {
  Terminal terminal;
  terminal.width = 34;
  Table table;
  table.columns = {{"s"}, {"call path", TableColumn::Align::left, true}};
  table.rows = {{"1", "main > solve > early > receive_edge > MPI_Recv"},
                {"2", "main > solve > late > receive_edge > MPI_Recv"},
                {"3", "main > solve > late > send_edge > exchange > MPI_Send"}};
  CHECK(table_text(terminal, table) == "  s  call path\n"
                                       "  1  .. > receive_edge > MPI_Recv\n"
                                       "      main > solve > early >\n"
                                       "        receive_edge > MPI_Recv\n"
                                       "  2  .. > receive_edge > MPI_Recv\n"
                                       "      main > solve > late >\n"
                                       "        receive_edge > MPI_Recv\n"
                                       "  3  .. > exchange > MPI_Send\n");
  table.rows.pop_back();
  table.rows.pop_back();
  CHECK(table_text(terminal, table) == "  s  call path\n  1  .. > receive_edge > MPI_Recv\n");
}

TEST_CASE("sentences are broken between words") {
  CHECK(wrapped("one two three four", 10, "> ", "  ") == "> one two\n  three\n  four\n");
}

TEST_CASE("words of reports are explained from the pages of the documentation") {
  Terminal terminal;
  terminal.width = 40;
  const char* metrics =
      "# Metrics\n\n## T, the time of a run\n\nFrom start\nto `end`, *not* beyond [it](x.md) (*not at all*).\n\n"
      "## Parts\n\nAll of it:\n\n- **idle**, **idle time**: waiting of\n  others.\n- **tool**: 2 * 3.\n\n"
      "    a = b\n\n## Columns\n\n| columns | defined in |\n|---|---|\n| `time_s`, `t` | T, the time of a run |\n"
      "| `x` | other.md |\n";
  const char* rules =
      "| cause | who waits | how long |\n|---|---|---|\n| late_sender | receiver | until the send |\n\n| a | b | c |\n";
  const auto text = [&](const char* word) { return definition_text(terminal, word, metrics, rules); };
  const std::string time = "T, the time of a run\n\nFrom start to end, not beyond it (not at\nall).\n";
  CHECK(text("T, the time of a run") == time);
  CHECK(text("time_s") == time);
  CHECK(text("the idle time") == text("idle time"));
  CHECK(text("Time-S") == time);
  CHECK(text("idle time") == "Parts\n\n- idle, idle time: waiting of others.\n");
  CHECK(text("parts") == "Parts\n\nAll of it:\n\n- idle, idle time: waiting of others.\n- tool: 2 * 3.\n\n    a = b\n");
  CHECK(text("late") == "late_sender\n\nWho waits: receiver.\n\nHow long: until the send.\n");
  const auto refused = [&](const char* word) {
    try {
      return text(word);
    } catch (const Refusal& refusal) {
      return std::string(refusal.what());
    }
  };
  CHECK(refused("tol") == "tol: not defined; did you mean tool?");
  CHECK(refused("ti") == "ti: more than one definition has this word; give one of: idle time, t, the time of a run, "
                         "time s");
  CHECK(refused("nothing") == "nothing: not defined; docs/metrics.md has all definitions");
}

TEST_CASE("words that reports use are explained") {
  for (const char* word : {"T", "p x T", "bal.", "excl. s", "own %", "i/o s", "sync. %", "late start", "serial part",
                           "USL", "Amdahl", "eager", "limit alone", "no-wait", "Data dependency", "visits",
                           "time of all threads", "the time of all threads", "cores x T"})
    CHECK_NOTHROW(definition_text(Terminal(), word));
}

TEST_CASE("every column that docs/metrics.md places is explained") {
  for (const char* key : {"load_balance", "serial_fraction", "idle_s", "gain_s", "overlap_percent", "late_sender"})
    CHECK_NOTHROW(definition_text(Terminal(), key));
}
