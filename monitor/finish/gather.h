// Gathering: the ranks' profiles come together at rank 0 along a binomial tree of messages, in
// pieces of at most 1 MiB, each receiver merging what it gets. Nobody ever holds more than the
// profiles of its own half of the tree. Every step has a deadline.
#pragma once
#include <string>

#include "monitor/finish/profile.h"

namespace andes {

struct Gathered {
  bool at_root = true; // this rank holds the result
  bool complete = true;
  std::string trouble; // why not complete
};

/// Merges what this rank's children send into `profile`, sends it on unless this is rank 0.
/// `transport` null: a run of one rank.
Gathered gather(Profile& profile, const andes_transport* transport, double timeout_s);

} // namespace andes
