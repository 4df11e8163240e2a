// A file is entered when the preprocessor moves to a FileID it has not been in; the directive that
// led there was reported just before. Operands are found in the text by a raw lexer, so that macros,
// comments, line splices and digraphs in a directive do not matter.
#include "preprocessor/collect/files.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "preprocessor/collect/own_headers.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace andes::preprocessor {

using namespace clang;

std::optional<unsigned> FileIndex::find(FileID id) const {
  if (id.isInvalid()) return std::nullopt; // of built-in declarations of the compiler
  const auto found = index_.find(id);
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<unsigned> FileIndex::own(SourceLocation place) const {
  const std::optional<unsigned> found = find(sources_.getFileID(place));
  return found && files_[*found].own ? found : std::nullopt;
}

namespace {

using Path = std::filesystem::path;

} // namespace

std::string without_detours(const std::string& name) {
  const std::string straight = Path(name).lexically_normal().string();
  std::error_code error;
  return straight != name && std::filesystem::equivalent(name, straight, error) ? straight : name;
}

std::string FileIndex::name_at(SourceLocation place) const {
  const PresumedLoc at = sources_.getPresumedLoc(place);
  const std::string name = at.isValid() ? at.getFilename() : "";
  const std::optional<unsigned> in = find(sources_.getFileID(place));
  return without_detours(in && name == files_[*in].path ? files_[*in].name : name);
}

namespace {

std::string directory_of(StringRef path, bool bare) {
  const StringRef parent = llvm::sys::path::parent_path(path);
  return !parent.empty() ? parent.str() : bare ? "" : ".";
}

std::string joined(const std::string& directory, StringRef name) {
  return directory.empty() ? name.str() : directory + "/" + name.str();
}

class Watch : public PPCallbacks {
public:
  Watch(Preprocessor& preprocessor, const Reading& reading, Source& source, FileIndex& index)
      : preprocessor_(preprocessor), sources_(preprocessor.getSourceManager()), reading_(reading), source_(source),
        index_(index) {}

  void LexedFileChanged(FileID id, LexedFileChangeReason reason, SrcMgr::CharacteristicKind kind, FileID,
                        SourceLocation) override {
    const OptionalFileEntryRef entry = sources_.getFileEntryRefForID(id);
    if (reason != LexedFileChangeReason::EnterFile || !entry || index_.find(id)) return;
    const unsigned number = unsigned(source_.files.size());
    File file;
    file.path = entry->getName().str();
    file.first = first_.try_emplace(&entry->getFileEntry(), number).first->second;
    file.system = kind != SrcMgr::C_User;
    if (number == 0) {
      file.name = file.path;
      file.own = true;
    } else {
      file.name = pending_.name.empty() ? file.path : pending_.name;
      file.includer = pending_.includer;
      file.own = is_looked_at(file.path, file.system, source_.files[0].path, reading_.headers, reading_.third_party);
    }
    index_.add(id, number);
    source_.files.push_back(std::move(file));
    settle(number);
  }

  void FileSkipped(const FileEntryRef& file, const Token&, SrcMgr::CharacteristicKind kind) override {
    const auto found = first_.find(&file.getFileEntry());
    if (found == first_.end()) return;
    const unsigned first = found->second;
    File other;
    other.path = file.getName().str();
    other.name = pending_.name.empty() ? other.path : pending_.name;
    unsigned target = first;
    if (other.name != source_.files[first].name) {
      const auto [known, fresh] = others_.try_emplace({first, other.name}, unsigned(source_.files.size()));
      target = known->second;
      other.first = first;
      other.includer = pending_.includer;
      other.system = kind != SrcMgr::C_User;
      other.again = true;
      if (fresh) source_.files.push_back(std::move(other));
    }
    settle(target);
  }

  void InclusionDirective(SourceLocation hash, const Token& word, StringRef spelled, bool angled, CharSourceRange,
                          OptionalFileEntryRef found, StringRef, StringRef, const Module*, bool,
                          SrcMgr::CharacteristicKind kind) override {
    pending_ = {};
    if (!found) return;
    pending_.waits = true;
    const std::optional<unsigned> includer = index_.find(sources_.getFileID(hash));
    if (!includer) { // forced by an option
      pending_.macros_only = word.getIdentifierInfo() && word.getIdentifierInfo()->getName() == "__include_macros";
      return;
    }
    pending_.includer = int(*includer);
    Directive directive = directive_at(sources_.getFileID(hash), sources_.getFileOffset(hash));
    pending_.inclusion = directive.inclusion;
    pending_.inclusion.operand.path = found->getName().str();
    pending_.inclusion.operand.system = kind != SrcMgr::C_User;
    if (angled || directive.inclusion.operand.next || llvm::sys::path::is_absolute(spelled)) return;
    const File& file = source_.files[*includer];
    count_ups(spelled);
    if (found->getName() != joined(directory_of(file.path, false), spelled)) return;
    pending_.inclusion.beside = true;
    pending_.name = joined(directory_of(file.name, reading_.bare_names), spelled);
  }

  void HasInclude(SourceLocation place, StringRef spelled, bool angled, OptionalFileEntryRef found,
                  SrcMgr::CharacteristicKind kind) override {
    test(place, spelled, angled, found, kind != SrcMgr::C_User);
  }

  void EmbedDirective(SourceLocation hash, StringRef spelled, bool angled, OptionalFileEntryRef found,
                      const LexEmbedParametersResult&) override {
    const std::optional<unsigned> asking = index_.find(sources_.getFileID(hash));
    if (!asking || angled || !found || llvm::sys::path::is_absolute(spelled)) return;
    Operand operand = directive_at(sources_.getFileID(hash), sources_.getFileOffset(hash)).inclusion.operand;
    operand.path = found->getName().str();
    source_.files[*asking].tests.push_back(operand);
  }

  /// The user's compiler may read these parts, although Clang does not.
  void SourceRangeSkipped(SourceRange range, SourceLocation) override {
    const FileID id = sources_.getFileID(range.getBegin());
    const std::optional<unsigned> index = index_.find(id);
    if (!index || source_.files[*index].system) return;
    File& file = source_.files[*index];
    const StringRef text = sources_.getBufferData(id);
    const std::size_t end = sources_.getFileOffset(range.getEnd());
    std::size_t at = sources_.getFileOffset(range.getBegin());
    while ((at = text.find('#', at)) < end) {
      const Directive directive = directive_at(id, at);
      const Operand& operand = directive.inclusion.operand;
      const StringRef before = text.take_front(at).rtrim(" \t");
      if (directive.word.starts_with("include") && operand.end > operand.begin + 1 && text[operand.begin] == '"' &&
          (before.empty() || before.back() == '\n')) {
        const StringRef name = text.slice(operand.begin + 1, operand.end - 1);
        const std::string path = joined(directory_of(file.path, false), name);
        if (preprocessor_.getFileManager().getVirtualFileSystem().exists(path))
          file.tests.push_back({operand.begin, operand.end, path, false, 0});
      }
      ++at;
    }
  }

  void EndOfMainFile() override {
    for (unsigned i = 1; i < source_.files.size(); ++i) find_guard(source_.files[i]);
  }

private:
  struct Directive {
    StringRef word;
    Inclusion inclusion; // without its target
  };

  /// The directive whose # stands at `offset`.
  Directive directive_at(FileID id, std::size_t offset) const {
    const StringRef text = sources_.getBufferData(id);
    Lexer lexer(sources_.getLocForStartOfFile(id), preprocessor_.getLangOpts(), text.begin(), text.begin() + offset,
                text.end());
    const auto place = [&](const Token& token) { return std::size_t(sources_.getFileOffset(token.getLocation())); };
    Token token;
    lexer.LexFromRawLexer(token); // the #
    lexer.LexFromRawLexer(token);
    Directive directive;
    if (!token.is(tok::raw_identifier)) return directive;
    directive.word = text.substr(place(token), token.getLength());
    Operand& operand = directive.inclusion.operand;
    if (directive.word == "include_next") operand.next = place(token) + token.getLength();
    lexer.LexFromRawLexer(token);
    if (token.isAtStartOfLine() || token.is(tok::eof)) return directive;
    operand.begin = place(token);
    const char open = text[operand.begin];
    const std::size_t close =
        open == '"' || open == '<' ? text.find(open == '"' ? '"' : '>', operand.begin + 1) : StringRef::npos;
    if (close != StringRef::npos) {
      operand.end = close + 1;
    } else {
      while (!token.is(tok::eof) && (place(token) == operand.begin || !token.isAtStartOfLine())) {
        operand.end = place(token) + token.getLength();
        lexer.LexFromRawLexer(token);
      }
    }
    return directive;
  }

  void test(SourceLocation place, StringRef spelled, bool angled, OptionalFileEntryRef found, bool system) {
    if (!place.isFileID()) return;
    const FileID id = sources_.getFileID(place);
    const std::optional<unsigned> asking = index_.find(id);
    if (!asking) return;
    File& file = source_.files[*asking];
    const StringRef text = sources_.getBufferData(id);
    const std::size_t begin = sources_.getFileOffset(place);
    const std::size_t end = text.find(angled ? '>' : '"', begin + 1);
    const StringRef word = text.take_front(begin).rtrim(" \t(");
    const std::size_t next = word.ends_with("__has_include_next") ? word.size() : 0;
    if (end == StringRef::npos || llvm::sys::path::is_absolute(spelled)) return;
    if (!angled) count_ups(spelled);
    const bool beside = !angled && found && found->getName() == joined(directory_of(file.path, false), spelled);
    if (beside || next) file.tests.push_back({begin, end + 1, found ? found->getName().str() : "", system, next});
  }

  void count_ups(StringRef spelled) {
    const Path path(spelled.str());
    source_.ups = std::max(source_.ups, unsigned(std::ranges::count(path, Path(".."))));
  }

  /// The file that the last directive leads to.
  void settle(unsigned target) {
    if (!pending_.waits) return;
    pending_.waits = false;
    pending_.inclusion.target = target;
    if (pending_.includer >= 0) source_.files[unsigned(pending_.includer)].inclusions.push_back(pending_.inclusion);
    else source_.forced.push_back({target, pending_.macros_only});
    pending_.name.clear();
    pending_.includer = -1;
  }

  void find_guard(File& file) const {
    if (file.system || file.again) return;
    const OptionalFileEntryRef entry = preprocessor_.getFileManager().getOptionalFileRef(file.path);
    if (!entry || !preprocessor_.getHeaderSearchInfo().isFileMultipleIncludeGuarded(*entry)) return;
    const HeaderFileInfo* facts = preprocessor_.getHeaderSearchInfo().getExistingFileInfo(*entry);
    if (!facts || facts->isPragmaOnce || facts->isImport) return;
    const FileID id = sources_.translateFile(*entry);
    if (id.isInvalid()) return;
    const StringRef text = sources_.getBufferData(id);
    Lexer lexer(sources_.getLocForStartOfFile(id), preprocessor_.getLangOpts(), text.begin(), text.begin(), text.end());
    Token token;
    lexer.LexFromRawLexer(token);
    std::size_t end = 0;
    for (bool first = true; !token.is(tok::eof) && (first || !token.isAtStartOfLine()); first = false) {
      end = sources_.getFileOffset(token.getLocation()) + token.getLength();
      lexer.LexFromRawLexer(token);
    }
    const std::size_t newline = text.find('\n', end);
    if (newline != StringRef::npos && text.slice(end, newline).trim().empty()) file.guard_end = newline + 1;
  }

  Preprocessor& preprocessor_;
  const SourceManager& sources_;
  const Reading& reading_;
  Source& source_;
  FileIndex& index_;
  llvm::DenseMap<const FileEntry*, unsigned> first_;
  std::map<std::pair<unsigned, std::string>, unsigned> others_; // of first_, by their other names
  struct {
    bool waits = false, macros_only = false;
    int includer = -1;
    std::string name;
    Inclusion inclusion;
  } pending_;
};

} // namespace

std::unique_ptr<PPCallbacks> watch_files(Preprocessor& preprocessor, const Reading& reading, Source& source,
                                         FileIndex& index) {
  return std::make_unique<Watch>(preprocessor, reading, source, index);
}

} // namespace andes::preprocessor
