#include "monitor/exchange/all_to_all.h"

#include <algorithm>

namespace andes::monitor {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20; // of a message

std::size_t rank_at(int rank) { return static_cast<std::size_t>(rank); }

} // namespace

bool AllToAll::swap(int to, const Parcel& out, int from, Parcel& in) {
  for (std::size_t at = 0; at < std::max(out.size(), in.size()); at += most_bytes) {
    const auto piece = [at](const Parcel& parcel) {
      return at < parcel.size() ? std::min(most_bytes, parcel.size() - at) : 0;
    };
    if (transport_->swap(to, out.data() + std::min(at, out.size()), piece(out), from,
                         in.data() + std::min(at, in.size()), piece(in), deadline_ns_) != 0)
      return false;
  }
  bytes_sent_ += out.size();
  return true;
}

std::vector<Parcel> AllToAll::exchange(std::vector<Parcel>& out) {
  const int own = rank(), ranks = size();
  std::vector<std::uint64_t> sizes;
  for (const Parcel& parcel : out) sizes.push_back(parcel.size());
  sizes = exchange_numbers(sizes);
  std::vector<Parcel> in(out.size());
  if (!failed_) in[rank_at(own)] = std::move(out[rank_at(own)]);
  for (int step = 1; step < ranks && !failed_; ++step) {
    const int to = (own + step) % ranks, from = (own - step + ranks) % ranks;
    Parcel& received = in[rank_at(from)];
    received.resize(sizes[rank_at(from)]);
    failed_ = !swap(to, out[rank_at(to)], from, received);
    Parcel().swap(out[rank_at(to)]); // frees its memory for the parcels that follow
  }
  if (failed_) in.assign(out.size(), Parcel());
  return in;
}

std::vector<std::uint64_t> AllToAll::exchange_numbers(const std::vector<std::uint64_t>& out) {
  std::vector<std::uint64_t> in = out;
  if (transport_ && !failed_) failed_ = transport_->exchange_sizes(out.data(), in.data(), deadline_ns_) != 0;
  return in;
}

void AllToAll::time_messages(int peer, bool leads, const std::size_t* bytes, std::size_t count,
                             andes_message_time* times) {
  if (transport_ && !failed_ && transport_->time_messages)
    failed_ = transport_->time_messages(peer, leads, bytes, static_cast<int>(count), times, deadline_ns_) != 0;
}

void AllToAll::largest(std::vector<std::uint64_t>& values) {
  if (transport_ && !failed_)
    failed_ = transport_->largest(values.data(), static_cast<int>(values.size()), deadline_ns_) != 0;
}

} // namespace andes::monitor
