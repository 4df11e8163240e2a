// What is read in the text of Fortran sources: marks, DO statements, directives.
#include <catch2/catch.hpp>

#include "preprocessor/plugin/marks.h"
#include "preprocessor/plugin/source_text.h"

using namespace andes::preprocessor;
using namespace andes::preprocessor::plugin;
using Lines = std::vector<std::string>;

TEST_CASE("marks of Fortran in free and fixed form") {
  const Marks marks =
      marks_of({"  !$andes region outer ! all of it", "!$ANDES Phase 'a step'", "      a = 1", "c$andes end phase",
                "*$andes endregion outer", "! !$andes region no", "!$andesregion no"});
  CHECK(marks.complaints.empty());
  REQUIRE(marks.all.size() == 2);
  CHECK(marks.all[0].name == "a step");
  CHECK(marks.all[0].kind == Block::Kind::phase);
  CHECK(marks.all[0].begin == 2);
  CHECK(marks.all[0].end == 4);
  CHECK(marks.all[1].name == "outer");
  CHECK(marks.all[1].kind == Block::Kind::region);
  CHECK(marks.all[1].end == 5);
}

TEST_CASE("what is wrong with marks of Fortran is said with the line and the remedy") {
  const Marks marks =
      marks_of({"!$andes regoin a", "!$andes region", "!$andes end region", "!$andes end phase",
                "!$andes region two words", "!$andes end region", "!$andes region open", "!$andes end phase"});
  CHECK(marks.all.empty());
  CHECK(marks.complaints ==
        std::vector<std::string>{
            "1: !$andes regoin a: no such mark; write region \"name\", phase \"name\", end region or end phase",
            "2: !$andes region: has no name; write a word, or a text in quotes",
            "4: !$andes end phase: ends nothing; write the mark where it begins, or remove this one",
            "5: !$andes region two words: has no name; write a word, or a text in quotes",
            "8: !$andes end phase: the mark of line 7 is still open; end that first",
            "7: !$andes region open: has no end; write !$andes end region behind its statements"});
}

TEST_CASE("DO statements of every form") {
  const auto form = [](const char* text) { return do_form(squeezed(text)); };
  for (const char* loop :
       {"do", "DO I = 1, N", "outer: do i=1,n", "10 do 20 i=1,n", "do 20, i = 1, n, 2", "do while (x < 1)",
        "do 10 while (a)", "do 10", "do i = f(1, 2), 3", "x = 1; do j = 1, 2; y = 2; end do"})
    CHECK(form(loop) == DoForm::loop);
  CHECK(form("do concurrent (i = 1:n)") == DoForm::concurrent);
  for (const char* other :
       {"dot = 3", "do10i = 1.5", "doit = f(1, 2)", "double precision :: x = 1", "end do", "dos = 'a, b'", ""})
    CHECK(form(other) == DoForm::none);
  const Statement free = whole_statement_at({"a = 1", "do i = &", "  1, n", "b = 1"}, 3);
  CHECK(free.text == "doi=1,n");
  CHECK(free.first == 2);
  CHECK(free.last == 3);
  CHECK(do_form(whole_statement_at({"      DO 10 I = 1", "     +, N"}, 1).text) == DoForm::loop);
}

TEST_CASE("directives of OpenMP in Fortran") {
  const auto words = [](const Lines& lines, unsigned line) { return directive_at(lines, line).words; };
  CHECK(words({"!$omp parallel do private(i)"}, 1) == "parallel do");
  CHECK(words({"  !$OMP PARALLELDO SCHEDULE(static)"}, 1) == "parallel do");
  CHECK(words({"!$omp do simd simdlen(8)"}, 1) == "do simd");
  CHECK(words({"!$omp do ordered"}, 1) == "do");
  CHECK(words({"!$omp critical (Queue)"}, 1) == "critical (queue)");
  CHECK(words({"!$omp end critical"}, 1).empty());
  CHECK(words({"! omp parallel"}, 1).empty());
  CHECK(words({"C$OMP PARALLEL"}, 1) == "parallel");
  const Lines free = {"!$omp parallel &", "!$omp& private(i) &", "!$omp   shared(a)"};
  CHECK(words(free, 3) == "parallel");
  CHECK(directive_at(free, 2).line == 1);
  const Lines fixed = {"c$omp parallel", "c$omp+shared(a)"};
  CHECK(words(fixed, 2) == "parallel");
  CHECK(directive_at(fixed, 2).line == 1);
  CHECK(directive_above({"!$omp section", "! a comment", "a = 1"}, 3).line == 1);
  CHECK(directive_above({"!$omp section", "b = 2", "a = 1"}, 3).words.empty());
}
