// Message sizes: how many messages of which size a call path, a function, a file or a group of MPI calls has moved.
//
// Invariants:
//  - sizes of MPI calls are those of the run file: messages sent, or received where a call only receives, and of other
//    calls how often they moved data;
//  - what is no MPI call has the point-to-point messages that it sends itself, by an MPI call directly below it: so
//    each message is in the sizes of one function and of one file;
//  - they are of all ranks; those of single ranks are not known.
#pragma once
#include <optional>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

struct Tree;

/// How the MPI library sends messages of a class of sizes, by its limits; `either`: that depends on the size within the
/// class, or on the receiver's node.
enum class Protocol { unknown, eager, rendezvous, either };

/// Messages of one class of sizes.
struct SizeCount {
  double at_least = 0; // bytes
  std::optional<double> below; // absent: the class has no bound
  double messages = 0;
  Protocol protocol = Protocol::unknown; // of point-to-point messages, at their senders
};
using SizeCounts = std::vector<SizeCount>; // smallest first

/// Up to how many bytes messages are sent eagerly, between any two ranks of the run.
struct EagerRange {
  double least = 0, most = 0;
};

/// Absent: the MPI library does not say, or not for all ranks.
std::optional<EagerRange> eager_range(const Profile& profile);

/// Adds the counts of other messages.
void add(SizeCounts& into, const SizeCounts& more);

/// Medians over repeats; a repeat that lacks a class counts as zero.
SizeCounts median_sizes(const std::vector<SizeCounts>& repeats);

/// Fills TreeRow::sizes of a tree over all ranks.
void set_message_sizes(const Profile& profile, Tree& tree);

} // namespace andes::postproc
