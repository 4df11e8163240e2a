// Sites known by a name that the program gives at run time: regions and phases of andes_begin, single steps
// of phases, values. A name is looked up by its content, so equal names are one region, wherever it begins,
// in every language and on all ranks.
//
// Invariants:
//  - find_name() takes no lock and never waits: a slot is written once, with a complete site;
//  - a site is never freed or moved, and its region is always known;
//  - there are at most max_names names: all further ones share one name, so that a program that makes
//    ever new names neither fills memory nor uses up the regions that its functions need.
#pragma once
#include <cstdint>

#include "monitor/sites/registry.h"

namespace andes::monitor {

inline constexpr std::uint32_t max_names = 16384;

struct NamedSite {
  andes_site site;
  std::uint32_t region; // as in `site`
};

struct NamedSites {
  NamedSite** slots; // open addressing
  std::uint32_t count;
};

/// A text that is not ended by a zero.
struct Name {
  const char* text;
  std::size_t length;
};
Name name_of(const char* text);

/// The site of a known name; null: there is none yet. `kind`: enum andes_kind.
NamedSite* find_name(const NamedSites& sites, const Name& name, std::uint32_t kind);

/// The site of any name; made if it is new. Null: memory is short. Under process_lock.
NamedSite* learn_name(NamedSites& sites, Registry& registry, Name name, std::uint32_t kind);

} // namespace andes::monitor
