// What Clang finds wrong with a source. GCC does not look for members in a template that nobody instantiates, and takes
// some bodies that Clang does not. So errors in functions of headers cost these functions their probes, no others.
#pragma once
#include <set>
#include <string>

#include "clang/Basic/Diagnostic.h"

namespace clang {
class CompilerInstance;
class FunctionDecl;
} // namespace clang

namespace andes::preprocessor {

class Errors : public clang::DiagnosticConsumer {
public:
  /// The text of the first one goes to `error`.
  explicit Errors(std::string& error) : error_(error) {}

  const clang::CompilerInstance* compiler = nullptr; // null: no error is in a function

  /// Whether there are none but in functions of headers.
  bool only_in_functions_of_headers() const { return !elsewhere_; }

  /// Makes these what they would be if Clang had skipped their bodies.
  void skip_functions() const;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override;

private:
  std::string& error_;
  std::set<clang::FunctionDecl*> functions_;
  bool elsewhere_ = false;
};

} // namespace andes::preprocessor
