#include "preprocessor/collect/errors.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallString.h"

namespace andes::preprocessor {

using namespace clang;

void Errors::skip_functions() const {
  for (FunctionDecl* function : functions_) {
    if (FunctionDecl* const pattern = function->getTemplateInstantiationPattern()) function = pattern;
    if (auto* const constructor = dyn_cast<CXXConstructorDecl>(function)) constructor->setNumCtorInitializers(0);
    function->setBody(nullptr);
    function->setHasSkippedBody();
  }
}

void Errors::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& diagnostic) {
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
  if (level < DiagnosticsEngine::Error) return;
  FunctionDecl* const function = compiler && compiler->hasSema() ? compiler->getSema().getCurFunctionDecl() : nullptr;
  if (!function || level == DiagnosticsEngine::Fatal || // behind which nothing is read
      compiler->getSourceManager().isInMainFile(function->getLocation()))
    elsewhere_ = true;
  else functions_.insert(function);
  if (!error_.empty()) return;
  SmallString<128> text;
  diagnostic.FormatDiagnostic(text);
  if (diagnostic.getLocation().isValid() && diagnostic.hasSourceManager()) {
    const PresumedLoc place = diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
    if (place.isValid()) {
      StringRef file = place.getFilename();
      file.consume_front("./");
      error_ = file.str() + ":" + std::to_string(place.getLine()) + ": ";
    }
  }
  error_ += text.str();
}

} // namespace andes::preprocessor
