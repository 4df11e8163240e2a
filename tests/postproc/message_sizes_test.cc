// Messages by size: what belongs to which row, and by which protocol messages go.
#include "postproc/analysis/message_sizes.h"

#include <catch2/catch.hpp>

#include "postproc/analysis/tree.h"
#include "postproc/view/columns/message_sizes.h"

using namespace andes;
using namespace andes::postproc;

namespace {

/// main sends 5 messages of 1 to 63 bytes, 2 of 2 to 4 KiB and 1 of 4 to 8 KiB, receives 7, and has one broadcast.
struct Made {
  Profile profile;

  void add(int parent, const char* name, const char* kind, double sent) {
    profile.regions.push_back({name, kind, "", 0});
    profile.callpaths.push_back({parent, static_cast<int>(profile.callpaths.size())});
    profile.statistics.resize(profile.callpaths.size() * profile.metrics());
    Statistic* own = &profile.statistics[(profile.callpaths.size() - 1) * profile.metrics()];
    own[run_file::visits].sum = 1;
    own[run_file::messages_sent].sum = sent;
  }
  explicit Made(const char* between = "function") {
    profile.ranks = 1;
    profile.wall_s = 1;
    profile.locations.resize(1);
    profile.hosts.resize(1);
    add(-1, "(program)", "root", 0);
    add(0, "main", "function", 0);
    add(1, "middle", between, 0);
    add(2, "MPI_Send", "send", 8);
    add(2, "MPI_Recv", "receive", 0);
    add(2, "MPI_Bcast", "source", 0);
    profile.message_sizes = {{3, 1, 64, 5}, {3, 2048, 4096, 2}, {3, 4096, 8192, 1}, {4, 64, 128, 7}, {5, 64, 128, 1}};
  }
  std::string sizes(std::size_t callpath) const {
    std::string text;
    const Tree tree = tree_of(profile, profile.statistics);
    for (const SizeCount& one : tree.rows[callpath].sizes)
      text += columns::size_text(one) + ": " + std::to_string(static_cast<int>(one.messages)) + ' ' +
              columns::protocol_text(one.protocol) + "; ";
    return text;
  }
};

} // namespace

TEST_CASE("a function has the messages that its calls send", "[message_sizes]") {
  const Made made;
  CHECK(made.sizes(2) == "1 B .. 64 B: 5 ; 2 KiB .. 4 KiB: 2 ; 4 KiB .. 8 KiB: 1 ; ");
  CHECK(made.sizes(3) == made.sizes(2));
  CHECK(made.sizes(4) == "64 B .. 128 B: 7 ; ");
  CHECK(made.sizes(5) == "64 B .. 128 B: 1 ; ");
  CHECK(made.sizes(1).empty());
  CHECK(Made("call-site").sizes(1) == made.sizes(2)); // the place of a call is not its caller
}

TEST_CASE("limits of the library tell the protocol", "[message_sizes]") {
  Made made;
  made.profile.facts.named("eager_limit_within_node") = std::int64_t{4096};
  CHECK(made.sizes(3) == "1 B .. 64 B: 5 eager; 2 KiB .. 4 KiB: 2 eager; 4 KiB .. 8 KiB: 1 rendezvous; ");
  CHECK(made.sizes(4) == "64 B .. 128 B: 7 ; "); // said at the sender
  made.profile.facts.named("eager_limit_within_node") = std::int64_t{3000};
  CHECK(made.sizes(3) == "1 B .. 64 B: 5 eager; 2 KiB .. 4 KiB: 2 either; 4 KiB .. 8 KiB: 1 rendezvous; ");
  made.profile.hosts.resize(2);
  CHECK(made.sizes(3) == "1 B .. 64 B: 5 ; 2 KiB .. 4 KiB: 2 ; 4 KiB .. 8 KiB: 1 ; "); // not known between nodes
  made.profile.facts.named("eager_limit_between_nodes") = std::int64_t{65536};
  CHECK(made.sizes(3) == "1 B .. 64 B: 5 eager; 2 KiB .. 4 KiB: 2 either; 4 KiB .. 8 KiB: 1 either; ");
}

TEST_CASE("sizes of repeats are medians", "[message_sizes]") {
  const SizeCounts one = {{0, 1, 10}, {1, 64, 4}}, two = {{1, 64, 6}}, three = {{1, 64, 5}, {64, 128, 1}};
  const SizeCounts medians = median_sizes({one, two, three});
  REQUIRE(medians.size() == 1); // the others are missing in most repeats
  CHECK(medians.front().messages == 5);
}

TEST_CASE("sizes have names", "[message_sizes]") {
  CHECK(columns::size_text({0, 1, 1}) == "0 B");
  CHECK(columns::size_text({512, 1024, 1}) == "512 B .. 1 KiB");
  CHECK(columns::size_text({1 << 23, {}, 1}) == "8 MiB ..");
}
