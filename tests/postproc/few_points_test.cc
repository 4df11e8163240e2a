#include "postproc/analysis/few_points.h"

#include <catch2/catch.hpp>

using namespace andes::postproc;

TEST_CASE("what may be said grows with the sizes") {
  CHECK(may_say(Claim::speedup, 2));
  CHECK_FALSE(may_say(Claim::forecast, 2));
  CHECK(may_say(Claim::forecast, 3));
  CHECK_FALSE(may_say(Claim::terms, 4));
  CHECK(may_say(Claim::terms, 5));
  CHECK_FALSE(may_say(Claim::usl, 5));
  CHECK(may_say(Claim::usl, 6));
}

TEST_CASE("and is told in one sentence") {
  CHECK(what_sizes_tell(0) == "No size is usable, so nothing is told of scaling; the warnings above say why.");
  CHECK(what_sizes_tell(1) == "1 size tells nothing of scaling; measure at two times the size.");
  CHECK(what_sizes_tell(2) ==
        "2 sizes tell a speedup, and a serial fraction if Amdahl's law holds; whether it holds is not told.");
  CHECK(what_sizes_tell(9) ==
        "9 sizes tell the form in which each call path grows, and contention and coherency (USL).");
}
