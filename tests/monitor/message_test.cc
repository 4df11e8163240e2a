// A reduction goes through its pieces unchanged, and broken pieces are refused.
#include <cstring>

#include "monitor/finish/gather.h"
#include "tests/monitor/fake_ranks.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

Reduction two_ranks() {
  Bounds bounds;
  bounds.job_ranks = 2;
  Profile one = profile_of(0, {{{"(program)"}, 1, 100, 30}, {{"(program)", "main"}, 2, 70, 70}});
  one.messages.push_back({0, 1, 4, 800});
  one.snapshots.push_back({0, 1, 12345});
  one.hosts[0].cores = {1, 0, 1};
  Reduction both = reduce(std::move(one), bounds);
  merge(both, reduce(profile_of(1, {{{"(program)"}, 1, 90, 90}}), bounds), bounds);
  return both;
}

std::string joined(const std::vector<std::string>& pieces) {
  std::string bytes;
  for (const std::string& piece : pieces) bytes += piece;
  return bytes;
}

} // namespace

TEST_CASE("a reduction comes back as it was, in pieces of any size") {
  const Reduction sent = two_ranks();
  const std::string bytes = joined(pieces_of(sent));
  for (const std::size_t size : {bytes.size(), std::size_t{1}, std::size_t{37}}) {
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < bytes.size(); at += size) pieces.push_back(bytes.substr(at, size));
    const std::optional<Reduction> back = from_pieces(pieces);
    REQUIRE(back);
    CHECK(joined(pieces_of(*back)) == bytes);
    CHECK(back->ranks == 2);
    CHECK(back->regions[1].name == "main");
    CHECK(back->hosts[0].cores == std::vector<std::uint8_t>{1, 0, 1});
    CHECK(back->messages[0].bytes == 800);
    CHECK(back->snapshots[0].time_ns == 12345);
    CHECK(statistic(*back, "(program)", run_file::inclusive_ns).sum == 190);
  }
}

TEST_CASE("no piece is larger than the bound, however much there is to say") {
  Reduction large = two_ranks();
  large.messages.resize(200000); // 24 bytes each
  const std::vector<std::string> pieces = pieces_of(large);
  const std::size_t whole_pieces = joined(pieces).size() / piece_bytes;
  CHECK(whole_pieces > 4);
  CHECK(pieces.size() <= whole_pieces + 1);
  for (const std::string& piece : pieces) CHECK(piece.size() <= piece_bytes);
  const std::optional<Reduction> back = from_pieces(pieces);
  REQUIRE(back);
  CHECK(back->messages.size() == 200000);
}

TEST_CASE("what is cut off, changed or too long is no message") {
  const std::string bytes = joined(pieces_of(two_ranks()));
  for (std::size_t length = 0; length < bytes.size(); ++length) CHECK_FALSE(from_pieces({bytes.substr(0, length)}));
  CHECK_FALSE(from_pieces({bytes + "x"}));
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      refused += !from_pieces({changed});
    }
  CHECK(refused == static_cast<int>(3 * bytes.size()));
}

TEST_CASE("indices are looked at even where the check sum is right") {
  const auto refused = [](auto break_it) {
    Reduction broken = two_ranks();
    break_it(broken);
    return !from_pieces(pieces_of(broken));
  };
  CHECK_FALSE(refused([](Reduction&) {}));
  CHECK(refused([](Reduction& r) { r.paths[1].parent = 1; }));
  CHECK(refused([](Reduction& r) { r.paths[1].parent = -2; }));
  CHECK(refused([](Reduction& r) { r.paths[1].region = 2; }));
  CHECK(refused([](Reduction& r) { r.paths[1].depth = 0; }));
  CHECK(refused([](Reduction& r) { r.paths[1].ranks = 3; })); // of two
  CHECK(refused([](Reduction& r) { r.paths[0].ranks = 0; })); // its child has one
  CHECK(refused([](Reduction& r) { r.ranks = r.paths[0].ranks = std::int64_t{1} << 31; }));
  CHECK(refused([](Reduction& r) { r.paths[1].first = r.paths[0].first; }));
  CHECK(refused([](Reduction& r) { r.paths[1].first = 1000; }));
  CHECK(refused([](Reduction& r) { r.paths[1].first = -7; }));
  CHECK(refused([](Reduction& r) { r.statistics[1].next = 0; }));
  CHECK(refused([](Reduction& r) { r.statistics[0].metric = run_file::metric_count; }));
  CHECK(refused([](Reduction& r) { r.locations[0].host = 5; }));
  CHECK(refused([](Reduction& r) { r.rows[0].location = 2; }));
  CHECK(refused([](Reduction& r) { r.rows[1].end = 1; }));
  CHECK(refused([](Reduction& r) { r.row_statistics[0] = -1; }));
  CHECK(refused([](Reduction& r) { r.row_values.pop_back(); }));
  CHECK(refused([](Reduction& r) { r.paths[1].folded = 0; })); // single ranks have no values of single steps
}

TEST_CASE("a sender whose piece is not taken stops") {
  Reduction large = two_ranks();
  large.messages.resize(200000);
  int given = 0;
  CHECK_FALSE(write_message(large, [&](const char*, std::size_t) { return ++given < 2; }));
  CHECK(given == 2);
}

TEST_CASE("a rank that does not answer leaves the measurements of the others") {
  struct Silent {
    static int send(int, const void*, std::size_t, std::int64_t) { return 1; }
    static int receive(int, void*, std::size_t, std::int64_t) { return 1; }
  };
  andes_transport transport{};
  transport.rank = 0;
  transport.size = 4;
  transport.send = Silent::send;
  transport.receive = Silent::receive;
  Bounds bounds;
  bounds.job_ranks = 4;
  Reduction own = reduce(profile_of(0, {{{"(program)"}, 1, 100, 100}}), bounds);
  const Gathered at_root = gather(own, bounds, &transport, 0);
  CHECK(at_root.at_root);
  CHECK_FALSE(at_root.complete);
  CHECK(at_root.trouble == "rank 1 did not send its measurements");
  CHECK(statistic(own, "(program)", run_file::inclusive_ns).sum == 100);
  transport.rank = 2;
  const Gathered elsewhere = gather(own, bounds, &transport, 0);
  CHECK_FALSE(elsewhere.at_root);
  CHECK_FALSE(elsewhere.complete);
}
