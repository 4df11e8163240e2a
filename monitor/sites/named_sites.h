// Sites known by a name that the program makes at run time: regions and phases of andes_begin, single steps
// of phases, values. A name is looked up by its content, so a region is the same wherever it is begun, in
// whatever language, and on all ranks.
//
// Invariants:
//  - find_name() takes no lock and never waits: a slot is written once, with a site that is whole;
//  - a site is never freed nor moved, and its region is known;
//  - no more than max_names: what is beyond them has one name together, so that a program that makes up
//    names without end neither fills memory nor takes the regions that its functions need.
#pragma once
#include <cstdint>

#include "monitor/sites/registry.h"

namespace andes {

inline constexpr std::uint32_t max_names = 16384;

struct NamedSite {
  andes_site site;
  std::uint32_t region; // as in `site`
};

struct NamedSites {
  NamedSite** slots; // open addressing
  std::uint32_t count;
};

/// Not ended by a zero.
struct Name {
  const char* text;
  std::size_t length;
};
Name name_of(const char* text);

/// The site of a name that was learnt; null: there is none yet. `kind`: enum andes_kind.
NamedSite* find_name(const NamedSites& sites, const Name& name, std::uint32_t kind);

/// The site of any name; null where memory is short. Under the process's lock.
NamedSite* learn_name(NamedSites& sites, Registry& registry, Name name, std::uint32_t kind);

} // namespace andes
