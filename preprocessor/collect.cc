// Running Clang in this process, on a thread with a large stack and with its crashes caught. Bodies
// of functions outside the main file are not even parsed.
#include "preprocessor/collect.h"

#include <memory>
#include <set>

#include "preprocessor/collect_functions.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Path.h"

namespace andes {
namespace {

using namespace clang;

class Consumer : public ASTConsumer {
public:
  explicit Consumer(Source& source) : source_(source) {}

  void Initialize(ASTContext& context) override { sources_ = &context.getSourceManager(); }

  bool shouldSkipFunctionBody(Decl* declaration) override {
    return !sources_->isInMainFile(sources_->getExpansionLoc(declaration->getLocation()));
  }

  void HandleTranslationUnit(ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    source_.functions = functions_of(context);
  }

private:
  Source& source_;
  const SourceManager* sources_ = nullptr;
};

/// Watches #include "..." for what changes when the main file stands elsewhere.
class Includes : public PPCallbacks {
public:
  Includes(const SourceManager& sources, Source& source) : sources_(sources), source_(source) {}

  void InclusionDirective(SourceLocation hash, const Token&, StringRef name, bool angled,
                          CharSourceRange, OptionalFileEntryRef file, StringRef, StringRef,
                          const Module*, bool, SrcMgr::CharacteristicKind) override {
    look(hash, name, angled, file);
  }
  void HasInclude(SourceLocation place, StringRef name, bool angled, OptionalFileEntryRef file,
                  SrcMgr::CharacteristicKind) override {
    look(place, name, angled, file);
  }

private:
  void look(SourceLocation place, StringRef name, bool angled, OptionalFileEntryRef file) {
    if (file && main() && &file->getFileEntry() == main()) source_.includes_itself = true;
    if (angled || llvm::sys::path::is_absolute(name)) return;
    const OptionalFileEntryRef asking =
        sources_.getFileEntryRefForID(sources_.getFileID(sources_.getExpansionLoc(place)));
    if (!asking) return;
    const bool by_main = main() && &asking->getFileEntry() == main();
    const StringRef parent = llvm::sys::path::parent_path(asking->getName());
    const std::string beside = (parent.empty() ? "." : parent.str()) + "/" + name.str();
    if (file && file->getName() == beside) {
      if (by_main) source_.includes.push_back(name.str());
      if (by_main || beside_.count(&asking->getFileEntry())) {
        beside_.insert(&file->getFileEntry());
        if (beside.starts_with("./")) source_.beside.push_back(beside);
      }
    } else {
      source_.lookups.push_back({name.str(), file ? file->getName().str() : "", by_main});
    }
  }

  const FileEntry* main() const { return sources_.getFileEntryForID(sources_.getMainFileID()); }

  const SourceManager& sources_;
  Source& source_;
  std::set<const FileEntry*> beside_;
};

class Action : public ASTFrontendAction {
public:
  explicit Action(Source& source) : source_(source) {}

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<Includes>(compiler.getSourceManager(), source_));
    return std::make_unique<Consumer>(source_);
  }

private:
  Source& source_;
};

class FirstError : public DiagnosticConsumer {
public:
  explicit FirstError(std::string& error) : error_(error) {}

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < DiagnosticsEngine::Error || !error_.empty()) return;
    SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    if (diagnostic.getLocation().isValid() && diagnostic.hasSourceManager()) {
      const PresumedLoc place =
          diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
      if (place.isValid())
        error_ = std::string(place.getFilename()) + ":" + std::to_string(place.getLine()) + ": ";
    }
    error_ += text.str();
  }

private:
  std::string& error_;
};

void parse(const std::vector<std::string>& arguments, Source& source) {
  std::vector<const char*> words;
  for (const std::string& word : arguments) words.push_back(word.c_str());

  CreateInvocationOptions options; // complaints of the driver are about flags, not about the file
  options.Diags =
      CompilerInstance::createDiagnostics(new DiagnosticOptions, new IgnoringDiagConsumer, true);
  options.RecoverOnError = true;
  std::shared_ptr<CompilerInvocation> invocation = createInvocation(words, options);
  if (!invocation) {
    source.error = "its flags make no sense to Clang";
    return;
  }
  invocation->getFrontendOpts().SkipFunctionBodies = true; // but see shouldSkipFunctionBody
  invocation->getFrontendOpts().DisableFree = true;
  invocation->getDiagnosticOpts().IgnoreWarnings = true;
  invocation->getDiagnosticOpts().ShowCarets = false; // nor a count of errors

  source.files.push_back({arguments.back()});
  FirstError errors(source.error);
  CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(&errors, /*ShouldOwnClient=*/false);
  Action action(source);
  if (!compiler.ExecuteAction(action) && source.error.empty()) source.error = "no reason given";
}

} // namespace

Source collect(const std::vector<std::string>& arguments) {
  // On the heap and never freed: after a crash of Clang its parts may be in any state.
  Source* source = new Source;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext guard;
  constexpr unsigned stack_bytes = 256u << 20; // address space; deep expressions need some of it
  if (!guard.RunSafelyOnThread([&] { parse(arguments, *source); }, stack_bytes)) {
    Source crashed;
    crashed.error = "Clang crashed";
    return crashed;
  }
  Source result = std::move(*source);
  delete source;
  return result;
}

} // namespace andes
