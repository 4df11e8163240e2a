// The word that a user probably meant: for "did you mean" in messages.
#pragma once
#include <string>
#include <vector>

namespace andes {

/// The candidate with the smallest edit distance to `word`, if that is small compared with its
/// length; else empty.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

} // namespace andes
