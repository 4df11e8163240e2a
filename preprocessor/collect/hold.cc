// A process that has read the leading directives of sources, or what those of several begin with, and reads the rest of
// each in a child of its own: a fork copies the whole state of Clang for the price of some page tables (measured: 3 ms
// in place of 20).
//
// Clang is given a file that is not there, beside the sources or in a directory that is not there either, with the
// directives alone and blanks behind them. At the
// end of the directives stands an #ident, where Clang's preprocessor calls back: here the process stays, and here each
// child begins. It puts the source's own text where the blanks are, at the source's own offsets, moves Clang's lexer
// there, and goes on. So whatever Clang says of the text behind the directives is right; what it said of the directives
// themselves (Inclusion), and the file's name, is put right at the end.
//
// Whatever is not as usual (errors, marks that cannot be understood, a source that includes itself) gets no answer: the
// process that asks reads such a source itself, and says what there is to say.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preprocessor/collect/clang_run.h"
#include "preprocessor/collect/errors.h"
#include "preprocessor/collect/files.h"
#include "preprocessor/collect/seen_files.h"
#include "preprocessor/pack.h"
#include "preprocessor/reading_messages.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/thread.h"

namespace andes::preprocessor {
namespace {

using namespace clang;

constexpr const char* held_name = ".andes-held-source"; // of the file that is not there
constexpr const char* end_of_lead = "\"andes: end of the leading directives\"";
constexpr std::size_t most_resident_bytes = 128u << 20; // a process that has become larger does not stay

/// Puts a name into the place of another one, in all texts that Clang may have put it into.
class Rename {
public:
  Rename(std::string from, std::string to) : from_(std::move(from)), to_(std::move(to)) {}
  template <typename... Values> void operator()(Values&... values) { (one(values), ...); }

private:
  template <typename Value> void one(Value& value) {
    if constexpr (!std::is_arithmetic_v<Value> && !std::is_enum_v<Value>) members(value, *this);
  }
  void one(std::string& text) {
    for (std::size_t at = 0; (at = text.find(from_, at)) != std::string::npos; at += to_.size())
      text.replace(at, from_.size(), to_);
  }
  template <typename Value> void one(std::vector<Value>& values) {
    for (Value& value : values) one(value);
  }
  template <typename Value> void one(std::optional<Value>& value) {
    if (value) one(*value);
  }

  std::string from_, to_;
};

std::size_t resident_bytes() {
  std::size_t all = 0, resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu %zu", &all, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * std::size_t(sysconf(_SC_PAGESIZE));
}

class Holder {
public:
  Holder(LeadRequest& request, int channel)
      : request_(request), channel_(channel), path_(request.directory + held_name),
        buffer_(
            llvm::WritableMemoryBuffer::getNewUninitMemBuffer(most_source_bytes + request.text.size() + 256, path_)),
        files_(new SeenFiles(path_, *buffer_)) {
    std::ranges::fill(text(), ' ');
    const std::string lead = request.text + "#ident " + end_of_lead + "\n";
    std::ranges::copy(lead, text().begin());
  }

  /// Returns in no process.
  [[noreturn]] void run() {
    std::vector<std::string> arguments = request_.arguments;
    arguments.push_back(path_);
    parse(arguments, request_.reading, source_,
          {files_, [this](Preprocessor& preprocessor) {
             preprocessor.addPPCallbacks(std::make_unique<Watch>(*this, preprocessor));
           }});
    if (connection_ < 0) refuse(); // the end of the directives was not reached
    answer();
    _exit(is_large_ ? holder_failed : 0);
  }

private:
  class Watch : public PPCallbacks {
  public:
    Watch(Holder& holder, Preprocessor& preprocessor) : holder_(holder), preprocessor_(preprocessor) {}
    void Ident(SourceLocation place, StringRef text) override {
      if (text == end_of_lead && preprocessor_.getSourceManager().isInMainFile(place)) holder_.serve(preprocessor_);
    }
    void InclusionDirective(SourceLocation place, const Token&, StringRef spelled, bool is_angled, CharSourceRange,
                            OptionalFileEntryRef, StringRef, StringRef, const Module*, bool,
                            SrcMgr::CharacteristicKind) override {
      if (!holder_.is_leading(offset_of(place))) look_at(place, spelled, is_angled);
      else refuse_itself(spelled);
    }
    void HasInclude(SourceLocation place, StringRef spelled, bool is_angled, OptionalFileEntryRef,
                    SrcMgr::CharacteristicKind) override {
      look_at(place, spelled, is_angled);
    }
    void EmbedDirective(SourceLocation place, StringRef spelled, bool is_angled, OptionalFileEntryRef,
                        const LexEmbedParametersResult&) override {
      look_at(place, spelled, is_angled);
    }
    void HasEmbed(SourceLocation place, StringRef spelled, bool is_angled, OptionalFileEntryRef) override {
      look_at(place, spelled, is_angled);
    }

  private:
    /// A source that asks for itself by __FILE__ asks for the file that is not there. One that was taken for one that
    /// could be anywhere may name files by macros, and the first place of a quoted name is beside the source.
    void look_at(SourceLocation place, StringRef spelled, bool is_angled) {
      refuse_itself(spelled);
      if (!is_angled && offset_of(place) && holder_.is_anywhere()) holder_.refuse();
    }
    void refuse_itself(StringRef spelled) {
      if (spelled.ends_with(held_name)) holder_.refuse();
    }
    /// In the source; nothing: the place is in another file.
    std::optional<std::size_t> offset_of(SourceLocation place) {
      const auto [file, offset] = preprocessor_.getSourceManager().getDecomposedExpansionLoc(place);
      return file == preprocessor_.getSourceManager().getMainFileID() ? std::optional<std::size_t>(offset)
                                                                      : std::nullopt;
    }

    Holder& holder_;
    Preprocessor& preprocessor_;
  };

  /// Ends without an answer; of a holder: there will be none for any source with these directives.
  [[noreturn]] void refuse() const { _exit(is_large_ || connection_ < 0 ? holder_failed : 1); }

  /// Whether it was said of the source not to matter where it stands.
  bool is_anywhere() const { return request_.directory == no_directory; }

  /// Whether a leading directive of the source stands there: who asks has seen what it includes.
  bool is_leading(std::optional<std::size_t> offset) const {
    return offset && (connection_ < 0 || *offset < rest_.end);
  }

  llvm::MutableArrayRef<char> text() { return buffer_->getBuffer(); }

  /// Returns in each child, with the source's own text before Clang's lexer.
  void serve(Preprocessor& preprocessor) {
    const auto* errors = static_cast<const Errors*>(preprocessor.getDiagnostics().getClient());
    if (!errors->only_in_functions_of_headers() || !preprocessor.getCurrentLexer() ||
        preprocessor.getCurrentLexer() != preprocessor.getCurrentFileLexer())
      refuse();
    alarm(0);
    is_large_ = resident_bytes() > most_resident_bytes;
    for (bool first = true;; first = false) {
      const int connection = receive_connection(channel_);
      bool outdated = false;
      for (int status = 0; waitpid(-1, &status, WNOHANG) > 0;)
        outdated = outdated || (WIFEXITED(status) && WEXITSTATUS(status) == holder_outdated);
      if (connection < 0 || outdated) {
        if (connection >= 0) close(connection); // who asks reads it itself
        close(channel_);
        while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {}
        _exit(0);
      }
      const pid_t parent = getpid();
      if (is_large_ || fork() == 0) { // a large one reads itself, and ends with that
        connection_ = connection;
        alarm(most_seconds_of_answer);
        if (!is_large_) {
          prctl(PR_SET_PDEATHSIG, SIGKILL);
          if (getppid() != parent) _exit(1);
          close(channel_);
        }
        pollfd asker{connection_, POLLRDHUP, 0};
        if (poll(&asker, 1, 0) != 0) refuse(); // nobody waits any more
        if (!first && !files_->unchanged()) _exit(holder_outdated);
        take_over(preprocessor);
        return;
      }
      close(connection);
    }
  }

  void take_over(Preprocessor& preprocessor) {
    const std::string message = receive_message(connection_).value_or("");
    Unpacker unpack(message);
    members(rest_, unpack);
    if (!unpack.complete() || rest_.text.size() > most_source_bytes || rest_.end > rest_.text.size()) refuse();
    const std::optional<std::size_t> read = end_of(request_.text, {"", rest_.lines, rest_.end}, rest_.text);
    if (!read) refuse();
    char* const begin = text().data();
    // What stands in the directives stays: macros that they define are there for Clang.
    std::fill(begin + request_.text.size(), begin + *read, ' ');
    if (*read > request_.text.size()) begin[*read - 1] = '\n';
    std::copy(rest_.text.begin() + long(*read), rest_.text.end(), begin + *read);
    std::fill(begin + rest_.text.size(), begin + text().size(), ' ');
    begin[rest_.text.size()] = '\n';
    const SourceManager& sources = preprocessor.getSourceManager();
    const SrcMgr::ContentCache& cache = sources.getSLocEntry(sources.getMainFileID()).getFile().getContentCache();
    cache.SourceLineCache = SrcMgr::LineOffsetMapping::get({rest_.text, path_}, lines_);
    static_cast<Lexer*>(preprocessor.getCurrentLexer())->seek(unsigned(*read), true);
  }

  /// Sends what was read, if there is nothing else to say of it.
  void answer() {
    const auto& includes = source_.files;
    std::error_code ignored;
    if (!source_.error.empty() || !source_.complaints.empty() || includes.empty()) refuse();
    for (std::size_t i = 1; i < includes.size(); ++i)
      if (std::filesystem::equivalent(includes[i].path, rest_.path, ignored)) refuse();
    Rename rename(path_, rest_.path);
    rename(source_);
    const std::string name = without_detours(rest_.path);
    for (Function& function : source_.functions)
      if (function.file == rest_.path) function.file = name;
    for (Block& block : source_.blocks)
      if (block.file == rest_.path) block.file = name;
    const Lead lead{"", rest_.lines, rest_.end};
    const auto put_right = [&](Operand& operand) {
      if (operand.begin >= request_.text.size()) return;
      const std::size_t moved = in_source(lead, operand.begin) - operand.begin;
      operand.begin += moved;
      operand.end += moved;
      if (operand.next > 0) operand.next += moved;
    };
    for (Inclusion& inclusion : source_.files[0].inclusions) put_right(inclusion.operand);
    for (Operand& test : source_.files[0].tests) put_right(test);
    Packer pack;
    pack(source_);
    send_message(connection_, pack.bytes);
  }

  LeadRequest& request_;
  const int channel_;
  const std::string path_;
  std::unique_ptr<llvm::WritableMemoryBuffer> buffer_;
  llvm::IntrusiveRefCntPtr<SeenFiles> files_;
  Source source_;
  bool is_large_ = false;
  // Of a child:
  int connection_ = -1;
  RestRequest rest_;
  llvm::BumpPtrAllocator lines_;
};

} // namespace

extern "C" __attribute__((visibility("default"))) void andes_hold(LeadRequest& request, int channel) {
  grow_in_steps();
  Holder holder(request, channel);
  llvm::thread(std::optional<unsigned>(stack_bytes), [&] { holder.run(); }).join();
}

} // namespace andes::preprocessor
