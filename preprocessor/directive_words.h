// The words of OpenMP directives, in C and in Fortran, and what they mean for regions.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "preprocessor/pipeline.h"

namespace andes::preprocessor {

/// A word of directives and what it means. The first one in this list that a directive has decides.
struct DirectiveWord {
  std::string_view word;
  Block::Kind kind;
  const char* obstacle; // of those left alone
};

namespace directive_words {

constexpr const char* few_instructions = "a few instructions";
constexpr const char* jump = "a jump";
constexpr const char* within_a_loop = "part of each iteration of its loop";
constexpr const char* shape = "changes the shape of its loop";

using Kind = Block::Kind;

constexpr std::array all{
    DirectiveWord{"target", Kind::left, "device code"},
    DirectiveWord{"teams", Kind::left, "made for devices"},
    DirectiveWord{"distribute", Kind::left, "made for devices"},
    DirectiveWord{"parallel", Kind::parallel, nullptr},
    DirectiveWord{"cancellation", Kind::left, jump},
    DirectiveWord{"cancel", Kind::left, jump},
    DirectiveWord{"for", Kind::workshare, nullptr},
    DirectiveWord{"do", Kind::workshare, nullptr},
    DirectiveWord{"loop", Kind::workshare, nullptr},
    DirectiveWord{"sections", Kind::workshare, nullptr},
    DirectiveWord{"section", Kind::workshare, nullptr},
    DirectiveWord{"single", Kind::workshare, nullptr},
    DirectiveWord{"scope", Kind::workshare, nullptr},
    DirectiveWord{"master", Kind::workshare, nullptr},
    DirectiveWord{"masked", Kind::workshare, nullptr},
    DirectiveWord{"taskloop", Kind::workshare, nullptr},
    DirectiveWord{"taskgroup", Kind::workshare, nullptr},
    DirectiveWord{"task", Kind::task, nullptr},
    DirectiveWord{"critical", Kind::critical, nullptr},
    DirectiveWord{"barrier", Kind::wait, nullptr},
    DirectiveWord{"taskwait", Kind::wait, nullptr},
    DirectiveWord{"simd", Kind::left, "vector instructions of one thread"},
    DirectiveWord{"atomic", Kind::left, few_instructions},
    DirectiveWord{"flush", Kind::left, few_instructions},
    DirectiveWord{"taskyield", Kind::left, few_instructions},
    DirectiveWord{"ordered", Kind::left, within_a_loop},
    DirectiveWord{"scan", Kind::left, within_a_loop},
    DirectiveWord{"tile", Kind::left, shape},
    DirectiveWord{"unroll", Kind::left, shape},
    DirectiveWord{"interchange", Kind::left, shape},
    DirectiveWord{"reverse", Kind::left, shape},
};

} // namespace directive_words

/// What the directive with these words means; none if it divides no work.
inline const DirectiveWord* meaning_of(const std::string& words) {
  const std::string between = " " + words + " ";
  for (const DirectiveWord& one : directive_words::all)
    if (between.find(" " + std::string(one.word) + " ") != std::string::npos) return &one;
  return nullptr;
}

/// The name of a construct with these words: `simd` says how a thread does its share.
inline std::string without_simd(std::string words) {
  if (const std::size_t simd = words.rfind(" simd"); simd != std::string::npos) words.erase(simd);
  return words;
}

/// Whether its region is what stands behind the directive alone: other threads do not take part in that (master), or do
/// not run it at that time (task), or nothing may stand before the directive (section).
inline bool is_inside(const std::string& name) {
  return name == "task" || name == "section" || name == "master" || name == "masked";
}

} // namespace andes::preprocessor
