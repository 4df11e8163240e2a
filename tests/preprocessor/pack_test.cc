// What Clang has read, as bytes and back.
#include <catch2/catch.hpp>

#include "preprocessor/pack.h"

using namespace andes::preprocessor;

namespace {

Source some() {
  Source source;
  Function function;
  function.name = "f";
  function.mangled = {"_Z1fv", ""};
  function.obstacle = Obstacle::naked;
  function.effort.calls = {1, 2};
  function.expected.calls = {{3, 0.5}};
  function.expected.far_calls = {{"g", 2}};
  Block block;
  block.kind = Block::Kind::task;
  block.same = 7;
  source.functions = {function, {}};
  source.blocks = {block, {}};
  source.marks = {{1, 2, 3, 4}};
  File file;
  file.path = "a.c";
  file.includer = -1;
  file.inclusions = {{{5, 9, "b.h", true, 0}, 1, true}};
  source.files = {file};
  source.forced = {{2, true}};
  source.ups = 3;
  return source;
}

std::string packed(Source source) {
  Packer pack;
  pack(source);
  return pack.bytes;
}

} // namespace

TEST_CASE("what was packed is unpacked") {
  const std::string bytes = packed(some());
  Source read;
  Unpacker unpack(bytes);
  unpack(read);
  REQUIRE(unpack.complete());
  CHECK(packed(read) == bytes);
  REQUIRE(read.functions.size() == 2);
  CHECK(read.functions[0].name == "f");
  CHECK(read.functions[0].obstacle == Obstacle::naked);
  CHECK(read.functions[0].expected.far_calls[0].function == "g");
  CHECK(read.blocks[0].same == 7);
  CHECK_FALSE(read.blocks[1].same.has_value());
  CHECK(read.files[0].inclusions[0].operand.path == "b.h");
  CHECK(read.files[0].includer == -1);
}

TEST_CASE("bytes that lack something, or have something more, are told") {
  const std::string bytes = packed(some());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Source read;
    Unpacker unpack(std::string_view(bytes).substr(0, size));
    unpack(read);
    CHECK_FALSE(unpack.complete());
  }
  Source read;
  const std::string more = bytes + '\0';
  Unpacker unpack(more);
  unpack(read);
  CHECK_FALSE(unpack.complete());
}

TEST_CASE("bytes that promise more than they have cost no more memory than they take") {
  std::string bytes(100'000, '\0');
  const std::size_t promised = bytes.size() - sizeof promised;
  std::memcpy(bytes.data(), &promised, sizeof promised); // so many functions
  Source read;
  Unpacker unpack(bytes);
  unpack(read);
  CHECK_FALSE(unpack.complete());
  CHECK(read.functions.size() < promised / 50);
}
