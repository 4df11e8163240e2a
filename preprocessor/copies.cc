// The closure over directives, then the edits of each file. Files in a precompiled header are not copied: GCC
// accepts a precompiled header only before any other include, and a copy would not match it.
#include "preprocessor/copies.h"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "preprocessor/preamble.h"
#include "preprocessor/process.h"

namespace andes::preprocessor {
namespace {

// With more files a source's headers are left alone: no project has so many headers of its own.
constexpr std::size_t most_files = 2000;
constexpr std::size_t most_bytes = 64u << 20;

/// An absolute path in a form that no user writes: compilers take it for another name of the file.
std::string absolute(const std::string& path) {
  std::error_code ignored;
  std::string_view rest = path;
  while (rest.starts_with("./")) rest.remove_prefix(2);
  return rest.starts_with('/') ? std::string(rest)
                               : fmt::format("{}/./{}", std::filesystem::current_path(ignored).string(), rest);
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// Files that stay as they are: read from a precompiled header, or only for their macros, or forced
/// by words that also apply to other sources; with all files that they include.
class Fixed {
public:
  Fixed(const Source& source, const Forcing& forcing) : fixed_(source.files.size()) {
    const auto includes =
        std::ranges::count_if(source.forced, [](const Forced& forced) { return !forced.macros_only; });
    const bool replaceable = forcing.replaceable && std::size_t(includes) == forcing.words.size();
    bool first = true;
    for (const Forced& forced : source.forced) {
      const bool precompiled = first && !forced.macros_only &&
                               (forcing.header_apart || is_precompiled(source.files[forced.file].path, forcing.is_gcc));
      any_precompiled_ |= precompiled;
      if (!replaceable || forced.macros_only || precompiled) fixed_[forced.file] = true;
      first = false;
    }
    if (source.forced.empty() && forcing.is_gcc && !source.files[0].inclusions.empty()) {
      const unsigned target = source.files[0].inclusions[0].target;
      if (is_precompiled(source.files[target].path, true)) fixed_[target] = true;
      begins_precompiled_ = any_precompiled_ = fixed_[target];
    }
    for (std::size_t i = 1; i < source.files.size(); ++i)
      if ((source.files[i].includer > 0 && fixed_[std::size_t(source.files[i].includer)]) ||
          (source.files[i].again && fixed_[source.files[i].first]))
        fixed_[i] = true;
  }

  bool operator[](std::size_t file) const { return fixed_[file]; }
  /// Whether the source's first directive includes a precompiled header.
  bool begins_precompiled() const { return begins_precompiled_; }
  bool any_precompiled() const { return any_precompiled_; }

private:
  static bool is_precompiled(const std::string& path, bool is_gcc) {
    return exists(path + ".gch") || (!is_gcc && exists(path + ".pch"));
  }

  std::vector<bool> fixed_;
  bool begins_precompiled_ = false, any_precompiled_ = false;
};

/// Adds to the files to copy, at first those with probes, what has to include the copies.
void add_includers(const Source& source, const Fixed& fixed, std::vector<bool>& copied) {
  std::vector<bool> known(copied.size()); // by first entry: whether any entry is copied
  const auto take = [&](std::size_t file) {
    const bool fresh = !copied[file];
    copied[file] = known[source.files[file].first] = true;
    return fresh;
  };
  for (std::size_t i = 0; i < copied.size(); ++i)
    if (copied[i]) take(i);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = copied.size(); i-- > 0;) { // includers stand before the included files
      if (fixed[i]) continue;
      if (known[source.files[i].first]) again |= take(i); // forced: no directive leads to it
      for (const Inclusion& inclusion : source.files[i].inclusions) {
        const unsigned target = inclusion.target;
        if (fixed[target]) continue;
        if (known[source.files[target].first]) again |= take(i) | take(target);
        if (copied[i] && (inclusion.beside || inclusion.operand.next)) again |= take(target);
      }
    }
  }
}

/// A name that no compiler, message or dependency file needs to quote.
std::string plain_name(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-' && c != '+') c = '_';
  return name;
}

unsigned lines_before(const std::string& text, std::size_t offset) {
  return unsigned(std::count(text.begin(), text.begin() + long(offset), '\n'));
}

/// Replaces an operand; line splices in it stay, so that lines keep their numbers.
Edit lead(const std::string& text, const Operand& operand, const std::string& path) {
  std::string fresh = "\"" + path + "\"";
  for (unsigned n = lines_before(text, operand.end) - lines_before(text, operand.begin); n > 0; --n) fresh += "\\\n";
  return {operand.begin, operand.end, fresh, 0};
}

class Writer {
public:
  Writer(const Source& source, const std::string& directory, const Fixed& fixed, std::vector<bool> copied, Copies& out)
      : source_(source), fixed_(fixed), copied_(std::move(copied)), out_(out) {
    out_.preamble = directory + "/andes.h";
    place_ = directory;
    for (unsigned up = 0; up < source.ups; ++up) place_ += "/d"; // "../../x.h" must not lead out
  }

  /// False if a file cannot be read, or there are too many.
  bool write(const std::vector<Probes>& probes) {
    std::size_t bytes = 0, files = 0;
    const std::size_t head = first_of_all();
    for (std::size_t i = 0; i < source_.files.size(); ++i) {
      if (!copied_[i]) continue;
      const File& file = source_.files[i];
      if (file.again) {
        out_.files.push_back({path_of(i), file.name, "", path_of(file.first), file.system});
        continue;
      }
      const std::optional<std::string> text = read_file(file.path);
      if (!text) return false;
      bytes += text->size();
      if (++files > most_files || bytes > most_bytes) return false;
      std::vector<Edit> edits = probes[i].edits;
      lead_inclusions(file, *text, edits);
      out_.files.push_back({path_of(i), file.name, whole(i, head, *text, std::move(edits)), "", file.system});
      if (!probes[i].table.text.empty() &&
          std::ranges::find(out_.tables, probes[i].table.name, &SiteTable::name) == out_.tables.end())
        out_.tables.push_back(probes[i].table);
    }
    return true;
  }

  std::string path_of(std::size_t file) const {
    const std::string name = plain_name(source_.files[file].path);
    // The source's own name goes into the object: __FILE_NAME__, names of dumps.
    return file == 0 ? place_ + "/" + std::filesystem::path(source_.files[0].path).filename().string()
                     : fmt::format("{}/headers/{}-{}", place_, file, name);
  }

private:
  /// The copy that the compiler reads first: it contains the tables of all copies.
  std::size_t first_of_all() const {
    for (const Forced& forced : source_.forced)
      if (copied_[forced.file]) return forced.file;
    return 0;
  }

  void lead_inclusions(const File& file, const std::string& text, std::vector<Edit>& edits) {
    const auto change = [&](const Operand& operand, const std::string& path) {
      edits.push_back(lead(text, operand, path));
      constexpr std::size_t word_bytes = 5; // _next
      if (operand.next) edits.push_back({operand.next - word_bytes, operand.next, "", 0});
    };
    for (const Inclusion& inclusion : file.inclusions)
      if (copied_[inclusion.target]) change(inclusion.operand, path_of(inclusion.target));
      else if (inclusion.beside || inclusion.operand.next)
        change(inclusion.operand, original(inclusion.operand, source_.files[inclusion.target].name));
    for (const Operand& operand : file.tests) change(operand, original(operand, operand.path));
  }

  std::string original(const Operand& operand, const std::string& name) {
    if (operand.path.empty()) return place_ + "/none";
    const std::string path = absolute(operand.path);
    if (path != name || operand.system) out_.originals.push_back({path, name, "", "", operand.system});
    return path;
  }

  std::string whole(std::size_t index, std::size_t head, const std::string& text, std::vector<Edit> edits) {
    const File& file = source_.files[index];
    const auto line = [&](unsigned number) { return fmt::format("#line {} \"{}\"\n", number, c_escaped(file.name)); };
    const std::string preamble = fmt::format("#include \"{}\"\n", c_escaped(out_.preamble));
    if (index == head && index == 0 && fixed_.begins_precompiled()) {
      // A precompiled header must be the first thing that is included.
      const std::size_t end = std::min(text.find('\n', file.inclusions[0].operand.end), text.size() - 1) + 1;
      edits.push_back({end, end, preamble + line(lines_before(text, end) + 1), 0});
      return line(1) + edit(text, std::move(edits));
    }
    const std::string system = file.system ? "#pragma GCC system_header\n" : "";
    if (index == head) return below_preamble(system + preamble, file.name, edit(text, std::move(edits)));
    if (!file.guard_end) return system + line(1) + edit(text, std::move(edits));
    // Inside the guard, so that compilers still see that the whole file is guarded.
    edits.push_back({file.guard_end, file.guard_end, system + line(lines_before(text, file.guard_end) + 1), 0});
    return edit(text, std::move(edits));
  }

  const Source& source_;
  const Fixed& fixed_;
  const std::vector<bool> copied_;
  Copies& out_;
  std::string place_;
};

} // namespace

Copies copies_of(const Source& source, const Decisions& decisions, const std::string& directory, const Forcing& forcing,
                 bool headers) {
  const Fixed fixed(source, forcing);
  std::vector<Probes> probes(source.files.size());
  std::vector<bool> copied(source.files.size());
  const auto consider = [&](unsigned in) { copied[in] = (headers || in == 0) && !fixed[in]; };
  for (const Function& function : source.functions) consider(function.in);
  for (const Block& block : source.blocks) consider(block.in);
  for (unsigned i = 0; i < probes.size(); ++i) {
    if (copied[i]) probes[i] = probes_of(i, source, decisions);
    copied[i] = !probes[i].edits.empty();
  }
  Copies out;
  if (std::ranges::none_of(copied, [](bool one) { return one; })) return out;
  out.headers_have_probes = std::ranges::count(copied, true) > copied[0];
  out.use_precompiled = fixed.any_precompiled();
  copied[0] = true;
  add_includers(source, fixed, copied);
  Writer writer(source, directory, fixed, copied, out);
  if (!writer.write(probes)) {
    if (headers) {
      out = copies_of(source, decisions, directory, forcing, false);
      out.trouble = "its headers are too many or too large to copy";
      return out;
    }
    return {};
  }
  out.notes = left_out_notes(source.functions, decisions.functions);
  std::size_t word = 0;
  for (const Forced& forced : source.forced) {
    if (forced.macros_only) continue;
    if (copied[forced.file]) out.words[forcing.words[word]] = writer.path_of(forced.file);
    ++word;
  }
  return out;
}

} // namespace andes::preprocessor
