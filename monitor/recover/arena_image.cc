#include "monitor/recover/arena_image.h"

#include <algorithm>
#include <cstring>

#include "monitor/core/layout.h"

namespace andes::monitor {
namespace {

constexpr std::uint64_t longest_list = 1 << 20; // of texts, bytes

std::string whole_text(const char* text, std::size_t room) { return {text, strnlen(text, room)}; }

} // namespace

ArenaImage::ArenaImage(std::span<const std::byte> bytes) : bytes_(bytes), header_(std::make_unique<ArenaHeader>()) {
  ArenaHeader& header = *header_;
  constexpr std::size_t least = offsetof(ArenaHeader, stretches);
  if (bytes.size() < least) refuse("", "not an arena of andes, or truncated", "name another file");
  std::memcpy(static_cast<void*>(&header), bytes.data(), std::min(bytes.size(), sizeof header));
  if (header.magic[0] == 0) refuse("", "an arena without data", "remove it");
  if (whole_text(header.magic, sizeof header.magic) != arena_magic)
    refuse("", "not an arena of andes", "name another file");
  if (header.format != arena_format || header.header_bytes != sizeof header || header.layout != monitor_layout())
    refuse("", "written by another build of andes", "recover it with the andes that measured");
  if (header.stretch_count > max_stretches) refuse("", "damaged: its table of stretches", "remove it");
  for (std::uint32_t i = 0; i < header.stretch_count; ++i) {
    const Stretch& stretch = header.stretches[i];
    const std::uint64_t end = stretch.address + stretch.bytes;
    if (stretch.offset == 0 || stretch.bytes == 0 || end < stretch.address || stretch.offset >= bytes.size()) continue;
    const std::uint64_t there = std::min<std::uint64_t>(stretch.bytes, bytes.size() - stretch.offset);
    pieces_.push_back({stretch.address, stretch.address + there, stretch.offset});
  }
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.address < b.address; });
  // Pieces must not overlap, so that every address has one meaning, even in a damaged table.
  for (std::size_t i = 1; i < pieces_.size(); ++i)
    if (pieces_[i - 1].end > pieces_[i].address) refuse("", "damaged: its stretches overlap", "remove it");
}

std::uint64_t ArenaImage::read(std::uint64_t address, void* to, std::uint64_t bytes) const {
  if (bytes == 0) return 0; // `to` may be null: an empty list
  auto* const out = static_cast<unsigned char*>(to);
  std::memset(out, 0, bytes);
  if (address + bytes < address) return bytes;
  auto piece = std::upper_bound(pieces_.begin(), pieces_.end(), address,
                                [](std::uint64_t at, const Piece& one) { return at < one.end; });
  std::uint64_t copied = 0;
  for (; piece != pieces_.end() && piece->address < address + bytes; ++piece) {
    const std::uint64_t from = std::max(address, piece->address), end = std::min(address + bytes, piece->end);
    std::memcpy(out + (from - address), bytes_.data() + piece->offset + (from - piece->address), end - from);
    copied += end - from;
  }
  return bytes - copied;
}

std::uint64_t ArenaImage::reach(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t end = address + bytes;
  if (end < address) return 0;
  auto piece = std::lower_bound(pieces_.begin(), pieces_.end(), end,
                                [](const Piece& one, std::uint64_t at) { return one.address < at; });
  if (piece == pieces_.begin()) return 0;
  --piece;
  return piece->end <= address ? 0 : std::min(end, piece->end) - address;
}

std::string ArenaImage::text(std::uint64_t address, std::size_t most) const {
  std::string text;
  char part[256];
  while (address != 0 && text.size() < most) {
    const std::uint64_t missing = read(address + text.size(), part, sizeof part);
    const std::string more = whole_text(part, sizeof part);
    text += more;
    if (more.size() < sizeof part || missing == sizeof part) break;
  }
  if (text.size() > most) text.resize(most);
  return text;
}

std::vector<std::string> ArenaImage::texts(const ArenaText& list) const {
  std::vector<char> bytes(std::min(longest_list, reach(address_of(list.text), std::min(list.bytes, longest_list))));
  read(address_of(list.text), bytes.data(), bytes.size());
  std::vector<std::string> texts;
  for (auto at = bytes.begin(); at != bytes.end();) {
    const auto end = std::find(at, bytes.end(), '\0');
    texts.emplace_back(at, end);
    at = end == bytes.end() ? end : end + 1;
  }
  return texts;
}

} // namespace andes::monitor
