#include "monitor/finish/code_scopes.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>

#include "monitor/core/function_samples.h"
#include "monitor/core/process.h"
#include "monitor/finish/sampled_code.h"
#include "monitor/finish/symbol_library.h"

namespace andes::monitor {
namespace {

constexpr double most_of_run = 0.005; // of its time
constexpr int bits_in_file = 48; // of a function's number
constexpr double shortest_ns = 2e6, longest_ns = 1e9;

/// Where code of the program is in a file.
struct FilePlace {
  std::string path;
  std::uint64_t address;
};

std::optional<FilePlace> file_place(std::uintptr_t address) {
  Dl_info info;
  link_map* map = nullptr;
  if (!dladdr1(reinterpret_cast<const void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) || !map)
    return std::nullopt;
  const std::string path = map->l_name && *map->l_name ? map->l_name : "/proc/self/exe";
  return FilePlace{path, address - map->l_addr};
}

/// Whether a call path is a function of the source, or a parallel region, of which the compiler has made one.
bool is_function(const Tree& tree, std::uint32_t node) {
  const std::uint32_t kind = tree.node(node).kind;
  return (kind == ANDES_KIND_FUNCTION || kind == ANDES_KIND_PARALLEL) && is_code_known(tree, node);
}

/// Functions in which the probes of several of these stand, or `of_all` with probes.
std::set<std::uintptr_t> functions_of(const Tree& tree, bool of_all) {
  std::map<std::uintptr_t, std::uint32_t> region_of;
  std::set<std::uintptr_t> several;
  for (std::uint32_t i = first_free_node; i < tree.node_count; ++i) {
    const NodeAccount& account = tree.accounts[i];
    if (!is_function(tree, i)) continue;
    const auto [known, is_first] = region_of.emplace(account.function, tree.node(i).region);
    if (of_all || (!is_first && known->second != tree.node(i).region)) several.insert(account.function);
  }
  return several;
}

void add_addresses(const Location& location, bool of_all, std::set<std::uintptr_t>& addresses) {
  if (!location.function_samples || location.function_samples->taken == 0) return;
  const std::set<std::uintptr_t> several = functions_of(location.tree, of_all);
  if (several.empty()) return;
  for (std::uint32_t i = first_free_node; i < location.tree.node_count; ++i)
    if (const NodeAccount& account = location.tree.accounts[i]; account.code != 0 && several.count(account.function))
      addresses.insert(account.code);
  for (const AddressCount& count : location.function_samples->addresses)
    if (count.address != 0 && several.count(count.function)) {
      addresses.insert(count.address);
      if (of_all) addresses.insert(count.innermost);
    }
}

} // namespace

CodeScopes find_code_scopes(const Process& process, bool of_all) {
  std::set<std::uintptr_t> addresses;
  for (std::uint32_t i = 0; i < process.location_count; ++i)
    if (process.locations[i]) add_addresses(*process.locations[i], of_all, addresses);
  std::map<std::string, ScopeQuestion> questions;
  std::map<std::string, std::uintptr_t> moved; // by so much memory is above the file
  for (const std::uintptr_t address : addresses)
    if (const auto place = file_place(address)) {
      questions[place->path].addresses.push_back(place->address);
      moved[place->path] = address - place->address;
    }
  CodeScopes scopes;
  std::uint64_t file_number = 0;
  std::string unheard; // such runs are as those without debug information
  const double run_ns = static_cast<double>(process.clock.end.monotonic_ns - process.clock.start.monotonic_ns);
  for (auto& [path, question] : questions) {
    question.path = path;
    question.most_ns = static_cast<std::uint64_t>(std::clamp(most_of_run * run_ns, shortest_ns, longest_ns));
    const auto answer = ask_symbols(own_directory(), "andes_find_scopes", packed(question), unheard);
    if (!answer) break;
    // Of two files functions have the same numbers.
    const auto in_file = [file = file_number++ << bits_in_file](std::uint64_t number) { return file | number; };
    const FileScopes found = scopes_in(*answer);
    for (const auto& [address, around] : found.around)
      std::ranges::transform(around, std::back_inserter(scopes.around[address + moved[path]]), in_file);
    for (const auto& [function, place] : found.places) scopes.places.emplace(in_file(function), place);
  }
  return scopes;
}

} // namespace andes::monitor
