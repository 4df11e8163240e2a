// Terms: exact data, and campaigns on synthetic sweeps with fixed seeds: 3 % of noise on each of 6 repeats.
#include "postproc/analysis/terms.h"

#include <catch2/catch.hpp>

#include "tests/postproc/sweep_maker.h"

using namespace andes::postproc;

namespace {

template <class Function> std::vector<SizedValue> exact(const std::vector<double>& sizes, Function f) {
  std::vector<SizedValue> values;
  for (const double size : sizes) values.push_back({size, f(size), 0});
  return values;
}

const std::vector<Term> planted{{0, 1, 1}, {0, 1, 2}, {1, 2, 0}, {1, 1, 0}, {1, 1, 1},
                                {3, 2, 0}, {2, 1, 0}, {2, 1, 1}, {3, 1, 0}};

struct Hits {
  int exact = 0, near = 0, of = 0; // near: the exponent is a quarter off at most
};

/// The planted terms at `sizes`, each in 500 sweeps, as half to all of the value at the largest size.
Hits campaign(const std::vector<double>& sizes) {
  Noise random(11);
  Hits hits;
  for (const Term& term : planted) {
    for (int i = 0; i < 500; ++i) {
      const double share = 0.5 + 0.5 * random.uniform(), c = share / term.at(sizes.back());
      const auto sweep = synthetic_sweep(sizes, 6, 0.03, [&](double p) { return 1 - share + c * term.at(p); }, random);
      const TermModel model = *term_model(sweep);
      ++hits.of;
      if (model.course != Course::growing) continue;
      hits.exact += model.term == term;
      hits.near += std::fabs(model.term.exponent() - term.exponent()) <= 0.25;
    }
  }
  return hits;
}

} // namespace

TEST_CASE("terms and their texts") {
  CHECK(Term{1, 1, 0}.at(8) == 8);
  CHECK(Term{1, 2, 1}.at(16) == Approx(16)); // 4 x 4
  CHECK(Term{-1, 1, 0}.at(4) == 0.25);
  CHECK(text_of(Term{}) == "1");
  CHECK(text_of(Term{1, 1, 1}) == "p log2(p)");
  CHECK(text_of(Term{2, 1, 0}) == "p^2");
  CHECK(text_of(Term{3, 2, 0}) == "p^(3/2)");
  CHECK(text_of(Term{0, 1, 2}) == "log2(p)^2");
  CHECK(text_of(Term{-1, 1, 0}) == "p^-1");
}

TEST_CASE("the standard error of a median") {
  // 9 and 11: mean 10, standard deviation sqrt(2), of the mean 1, of the median sqrt(pi / 2).
  CHECK(sized_value(4, {9, 11}).relative_error == Approx(0.1253314137));
  CHECK(sized_value(4, {9}).relative_error == 0);
}

TEST_CASE("exact data give the planted model") {
  const TermModel m = *term_model(exact({1, 2, 4, 8, 16}, [](double p) { return 9 + p; }));
  CHECK(m.course == Course::growing);
  CHECK(m.term == Term{1, 1, 0});
  CHECK(m.constant == Approx(9));
  CHECK(m.coefficient == Approx(1));
  CHECK(m.left_out_error == Approx(0).margin(1e-12));
  CHECK(m.at(64) == Approx(73));
  CHECK(m.formula() == "9 + 1 p");
}

TEST_CASE("a constant may be negative where a term grows: all ranks but one wait") {
  const TermModel m = *term_model(exact({2, 4, 8, 16, 32}, [](double p) { return p - 1; }));
  CHECK(m.term == Term{1, 1, 0});
  CHECK(m.constant == Approx(-1));
}

TEST_CASE("the error is that of the largest size as the smaller ones say it") {
  // Constant 10 up to 8, then 12: the constant of the others misses by 1 - 10/12.
  std::vector<SizedValue> values = exact({1, 2, 4, 8}, [](double) { return 10.0; });
  for (SizedValue& v : values) v.relative_error = 0.2; // so noisy that nothing can be said to grow
  values.push_back({16, 12, 0.2});
  const TermModel m = *term_model(values);
  CHECK(m.course == Course::constant);
  CHECK(m.left_out_error == Approx(1 - 10.0 / 12));
}

TEST_CASE("work that shrinks falls") {
  const TermModel m = *term_model(exact({1, 2, 4, 8, 16}, [](double p) { return 5 + 5 / p; }));
  CHECK(m.course == Course::falling);
  CHECK(m.term == Term{-1, 1, 0});
  CHECK(m.constant == Approx(5));
}

TEST_CASE("of 1000 constant call paths at most 2 % are called growing") {
  for (const std::size_t repeats : {6, 1})
    for (const std::vector<double>& sizes :
         {std::vector<double>{1, 2, 4, 8, 16}, std::vector<double>{1, 4, 16, 64, 256}}) {
      Noise random(7);
      int growing = 0;
      for (int i = 0; i < 1000; ++i)
        growing += term_model(synthetic_sweep(
                                  sizes, repeats, 0.03, [](double) { return 5.0; }, random))
                       ->course == Course::growing;
      CHECK(growing <= 20);
    }
}

TEST_CASE("planted terms are found") {
  for (const std::vector<double>& sizes :
       {std::vector<double>{1, 4, 16, 64, 256}, std::vector<double>{1, 2, 4, 8, 16},
        std::vector<double>{2, 4, 8, 16, 32, 64}, std::vector<double>{1, 2, 4, 8, 16, 32, 64, 128}}) {
    const Hits hits = campaign(sizes);
    WARN(sizes.size() << " sizes to " << sizes.back() << ": exact " << hits.exact << ", near " << hits.near << " of "
                      << hits.of);
    CHECK(hits.exact >= 0.95 * hits.of);
    CHECK(hits.near >= 0.97 * hits.of);
  }
}

TEST_CASE("terms that hardly anything has are found where they fit alone") {
  for (const Term& term : {Term{1, 3, 0}, Term{2, 3, 0}, Term{3, 4, 1}, Term{5, 2, 0}, Term{3, 1, 1}}) {
    const TermModel m = *term_model(exact({1, 2, 4, 8, 16, 32}, [&](double p) { return 1 + term.at(p); }));
    CHECK(text_of(m.term) == text_of(term));
  }
}
