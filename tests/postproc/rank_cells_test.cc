// Values of call paths in single ranks, as a page has them: their rounding, and what is summed where there are too many.
#include "postproc/view/rank_cells.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "postproc/model/read_run.h"
#include "tests/postproc/run_maker.h"

using namespace andes::postproc;

namespace {

/// The value of a call path in a location, in seconds; -1: it has no cells.
double value_of(const RankCells& cells, const char* metric, int path, std::size_t location) {
  const std::size_t locations = cells.index["locations"].size();
  std::size_t at = 0;
  for (const Json& plane : cells.index["planes"]) {
    for (std::size_t row = 0; row < plane["callpaths"].size(); ++row, at += locations) {
      if (plane["metric"] != metric || plane["callpaths"][row] != path) continue;
      const auto level = static_cast<unsigned char>(cells.levels[at + location]);
      const double max_s = plane["max_s"][row], step = cells.index["step"];
      return level == 0 ? 0 : max_s * std::pow(step, level - 255);
    }
  }
  return -1;
}

} // namespace

TEST_CASE("cells of ranks") {
  // Rank 0 computes 1 s in setup, the others wait 0.75 s of it in MPI_Bcast; each computes 9 s / 3 in sweep.
  const andes::test::TemporaryDirectory directory;
  andes::test::Run run = andes::test::run_of({}, 3);
  andes::test::measure_waits(run);
  andes::test::add_waits(run, {.cause = "late", .callpath = andes::test::path_broadcast, .wait_s = {0, 0.75, 0.5}});
  andes::test::write(run, directory / "a.andes");
  const Profile profile = read_run(directory / "a.andes", Detail::tree);

  SECTION("are within 3.5 % of what the run has") {
    const RankCells cells = rank_cells(profile, values_of_locations(profile), 1000);
    CHECK(cells.index["folded"] == 0);
    CHECK(value_of(cells, "own_s", andes::test::path_setup, 0) == Approx(1).epsilon(0.035));
    CHECK(value_of(cells, "own_s", andes::test::path_setup, 1) == 0);
    CHECK(value_of(cells, "own_s", andes::test::path_broadcast, 1) == Approx(1).epsilon(0.035));
    CHECK(value_of(cells, "own_s", andes::test::path_sweep, 2) == Approx(3).epsilon(0.035));
    CHECK(value_of(cells, "idle_s", andes::test::path_broadcast, 1) == Approx(0.75).epsilon(0.035));
    CHECK(value_of(cells, "idle_s", andes::test::path_broadcast, 2) == Approx(0.5).epsilon(0.035));
    CHECK(value_of(cells, "idle_s", andes::test::path_sweep, 0) == -1);
  }

  SECTION("beyond their number are in those of the caller") {
    const RankCells cells = rank_cells(profile, values_of_locations(profile), 2 * 3); // main and work have most
    CHECK(cells.index["folded"] == 3);
    CHECK(value_of(cells, "own_s", andes::test::path_setup, 0) == -1);
    CHECK(value_of(cells, "own_s", andes::test::path_main, 0) == Approx(1).epsilon(0.035)); // in setup
    CHECK(value_of(cells, "own_s", andes::test::path_main, 1) == Approx(1).epsilon(0.035)); // in MPI_Bcast
    CHECK(value_of(cells, "own_s", andes::test::path_work, 1) == Approx(3).epsilon(0.035));
    CHECK(value_of(cells, "idle_s", andes::test::path_main, 1) == Approx(0.75).epsilon(0.035));
  }

  SECTION("of which there is room for none are all in the root's") {
    const RankCells cells = rank_cells(profile, values_of_locations(profile), 0);
    CHECK(cells.index["folded"] == 5);
    CHECK(value_of(cells, "own_s", andes::test::path_root, 0) == Approx(4).epsilon(0.035));
    CHECK(value_of(cells, "idle_s", andes::test::path_root, 2) == Approx(0.5).epsilon(0.035));
  }
}
