// Running Clang in this process, on a thread with a large stack and with its crashes caught. Bodies
// of functions outside the files that are looked at are not even parsed.
#include "preprocessor/collect/collect.h"

#include <malloc.h>

#include <memory>
#include <optional>
#include <string>

#include "preprocessor/collect/clang_run.h"
#include "preprocessor/collect/errors.h"
#include "preprocessor/collect/files.h"
#include "preprocessor/collect/functions.h"
#include "preprocessor/collect/pragmas.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace andes::preprocessor {
namespace {

using namespace clang;

class Consumer : public ASTConsumer {
public:
  Consumer(const Reading& reading, const Errors& errors, Source& source, const FileIndex& files, const Pragmas& pragmas)
      : reading_(reading), errors_(errors), source_(source), files_(files), pragmas_(pragmas) {}

  void Initialize(ASTContext& context) override { sources_ = &context.getSourceManager(); }

  bool shouldSkipFunctionBody(Decl* declaration) override {
    return !files_.own(sources_->getExpansionLoc(declaration->getLocation()));
  }

  void HandleTranslationUnit(ASTContext& context) override {
    if (!errors_.only_in_functions_of_headers()) return;
    errors_.skip_functions();
    static_cast<Regions&>(source_) = regions_of(context, files_, pragmas_, reading_.mangled);
  }

private:
  const Reading& reading_;
  const Errors& errors_;
  Source& source_;
  const FileIndex& files_;
  const Pragmas& pragmas_;
  const SourceManager* sources_ = nullptr;
};

class Action : public ASTFrontendAction {
public:
  Action(const Reading& reading, const Errors& errors, Source& source, const Surroundings& surroundings)
      : reading_(reading), errors_(errors), source_(source), surroundings_(surroundings) {}

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    index_.emplace(compiler.getSourceManager(), source_.files);
    compiler.getPreprocessor().addPPCallbacks(watch_files(compiler.getPreprocessor(), reading_, source_, *index_));
    pragmas_.watch(compiler.getPreprocessor());
    if (surroundings_.watch) surroundings_.watch(compiler.getPreprocessor());
    return std::make_unique<Consumer>(reading_, errors_, source_, *index_, pragmas_);
  }

private:
  const Reading& reading_;
  const Errors& errors_;
  Source& source_;
  const Surroundings& surroundings_;
  std::optional<FileIndex> index_;
  Pragmas pragmas_;
};

/// Clang's <stdatomic.h> includes the next one in the search path: GCC's, whose directory is there
/// because of omp.h, and which Clang cannot read. This makes Clang use its own text.
void keep_atomics(CompilerInvocation& invocation) {
  const HeaderSearchOptions& search = invocation.getHeaderSearchOpts();
  for (const HeaderSearchOptions::Entry& entry : search.UserEntries)
    if (entry.Group == frontend::After && !llvm::sys::fs::equivalent(entry.Path, search.ResourceDir + "/include"))
      invocation.getPreprocessorOpts().addRemappedFile(
          entry.Path + "/stdatomic.h",
          llvm::MemoryBuffer::getMemBuffer("#undef __CLANG_STDATOMIC_H\n#undef __STDC_HOSTED__\n"
                                           "#define __STDC_HOSTED__ 0\n#include <stdatomic.h>\n"
                                           "#undef __STDC_HOSTED__\n#define __STDC_HOSTED__ 1\n")
              .release());
}

/// Warnings that are errors by default, as of old C: ignored. All others are at -w; with -Wno-everything Clang would
/// keep thousands of settings, and copy them wherever a header changes one.
void ignore_errors_of_old_code(DiagnosticsEngine& diagnostics) {
  std::vector<diag::kind> all;
  DiagnosticIDs::getAllDiagnostics(diag::Flavor::WarningOrError, all);
  for (const diag::kind kind : all)
    if (DiagnosticIDs::isBuiltinWarningOrExtension(kind) && DiagnosticIDs::isDefaultMappingAsError(kind))
      diagnostics.setSeverity(kind, diag::Severity::Ignored, SourceLocation());
}

} // namespace

void parse(const std::vector<std::string>& arguments, const Reading& reading, Source& source,
           const Surroundings& surroundings) {
  std::vector<const char*> words;
  for (const std::string& word : arguments) words.push_back(word.c_str());

  CreateInvocationOptions options; // errors of the driver are about flags, not about the file
  options.Diags = CompilerInstance::createDiagnostics(new DiagnosticOptions, new IgnoringDiagConsumer, true);
  options.RecoverOnError = true;
  options.VFS = surroundings.files;
  std::shared_ptr<CompilerInvocation> invocation = createInvocation(words, options);
  if (!invocation) {
    source.error = "its flags make no sense to Clang";
    return;
  }
  invocation->getFrontendOpts().SkipFunctionBodies = true; // but see shouldSkipFunctionBody
  invocation->getFrontendOpts().DisableFree = true;
  invocation->getDiagnosticOpts().IgnoreWarnings = true;
  invocation->getDiagnosticOpts().ShowCarets = false; // nor a count of errors
  invocation->getDiagnosticOpts().ErrorLimit = 200; // all functions with errors, unless Clang understands nothing

  keep_atomics(*invocation);

  Errors errors(source.error);
  CompilerInstance compiler;
  errors.compiler = &compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(&errors, /*ShouldOwnClient=*/false);
  ignore_errors_of_old_code(compiler.getDiagnostics());
  if (surroundings.files) compiler.createFileManager(surroundings.files);
  Action action(reading, errors, source, surroundings);
  const bool good = compiler.ExecuteAction(action);
  errors.compiler = nullptr;
  if (errors.getNumErrors() > 0 && errors.only_in_functions_of_headers()) source.error.clear();
  else if (!good && source.error.empty()) source.error = "no reason given";
}

void grow_in_steps() {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, 4 << 20);
}

extern "C" __attribute__((visibility("default"))) void andes_collect(const std::vector<std::string>& arguments,
                                                                     const Reading& reading, Source& result) {
  grow_in_steps();
  // On the heap and never freed: after a crash of Clang its parts may be in any state.
  Source* source = new Source;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext guard;
  if (!guard.RunSafelyOnThread([&] { parse(arguments, reading, *source, Surroundings()); }, stack_bytes)) {
    result.error = "Clang crashed";
    return;
  }
  result = std::move(*source);
  delete source;
}

} // namespace andes::preprocessor
