// The exchange of parcels between ranks: any pattern, any size.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "monitor/exchange/all_to_all.h"
#include "tests/exchange/fake_job.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

/// Text that only this pair of ranks has, of a size that depends on the pattern.
Parcel parcel_of(int from, int to, std::size_t bytes) {
  Parcel parcel(bytes, 'x');
  for (std::size_t i = 0; i < bytes; ++i)
    parcel[i] = static_cast<char>((i * 31 + static_cast<std::size_t>(from * 64 + to)) % 251);
  return parcel;
}

} // namespace

TEST_CASE("every parcel comes to its rank, whatever the pattern") {
  for (const int size : {1, 2, 3, 5, 8}) {
    std::mt19937 random(static_cast<unsigned>(size));
    std::vector<std::vector<std::size_t>> bytes(static_cast<std::size_t>(size));
    for (auto& row : bytes)
      for (int to = 0; to < size; ++to) row.push_back(random() % 3 == 0 ? random() % 5000 : 0);
    bytes[0][static_cast<std::size_t>(size - 1)] = (std::size_t{1} << 21) + 3; // three pieces, one way
    bytes[0][0] = 12;
    std::vector<int> wrong(static_cast<std::size_t>(size), -1);
    run_ranks(size, [&](const andes_transport& transport) {
      AllToAll ranks(&transport, in_seconds(20));
      const auto own = static_cast<std::size_t>(transport.rank);
      int& bad = wrong[own] = 0;
      for (int round = 0; round < 2; ++round) { // a second one on the same ranks
        std::vector<Parcel> out;
        for (int to = 0; to < size; ++to)
          out.push_back(parcel_of(transport.rank, to, bytes[own][static_cast<std::size_t>(to)]));
        const std::vector<Parcel> in = ranks.exchange(out);
        for (int from = 0; from < size; ++from)
          bad += in[static_cast<std::size_t>(from)] !=
                 parcel_of(from, transport.rank, bytes[static_cast<std::size_t>(from)][own]);
      }
      bad += ranks.failed();
    });
    CHECK(wrong == std::vector<int>(static_cast<std::size_t>(size), 0));
  }
}

TEST_CASE("without a transport a rank exchanges with itself") {
  AllToAll ranks(nullptr, 0);
  std::vector<Parcel> out = {"own"};
  CHECK(ranks.exchange(out) == std::vector<Parcel>{"own"});
  std::vector<std::uint64_t> values = {7};
  ranks.largest(values);
  CHECK(values[0] == 7);
  CHECK_FALSE(ranks.failed());
}

TEST_CASE("after a failure every call fails at once and brings nothing") {
  static int calls;
  calls = 0;
  andes_transport transport{};
  transport.size = 2;
  transport.exchange_sizes = [](const std::uint64_t*, std::uint64_t*, std::int64_t) { return ++calls; };
  transport.largest = [](std::uint64_t*, int, std::int64_t) { return ++calls; };
  AllToAll ranks(&transport, 0);
  std::vector<Parcel> out = {"to myself", "to the other"};
  CHECK(ranks.exchange(out) == std::vector<Parcel>(2));
  CHECK(ranks.failed());
  std::vector<std::uint64_t> values = {7};
  ranks.largest(values);
  CHECK(ranks.exchange(out) == std::vector<Parcel>(2));
  CHECK(calls == 1);
}

TEST_CASE("what is cut off in a parcel is noticed") {
  Parcel parcel;
  put(parcel, 5);
  put_all(parcel, std::vector<std::int64_t>{1, 2, 3});
  for (std::size_t bytes = 0; bytes <= parcel.size(); ++bytes) {
    const Parcel cut = parcel.substr(0, bytes);
    Unpacking in(cut);
    in.take<int>();
    const auto list = in.take_all<std::int64_t>();
    CHECK(in.good() == (bytes == parcel.size()));
    if (in.good()) CHECK(list == std::vector<std::int64_t>{1, 2, 3});
  }
}
