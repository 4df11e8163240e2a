// The list is short on purpose: what C and C++ programs call in functions of some instructions, and
// what is inlined to some instructions by every library at -O1. Functions that take as long as a
// probe (exp, pow, malloc) are not in it, nor those whose work depends on their arguments (memcpy,
// std::swap, std::map::operator[]).
#include "preprocessor/collect_library.h"

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringSet.h"

namespace andes {
namespace {

using namespace clang;

/// Of the maths library, with the suffixes f and l, and of stdlib.h.
const llvm::StringSet<>& c_functions() {
  static const llvm::StringSet<> names{"abs",   "labs",  "llabs",      "fabs",      "sqrt",
                                       "fma",   "fmin",  "fmax",       "fdim",      "ceil",
                                       "floor", "trunc", "rint",       "round",     "lrint",
                                       "creal", "cimag", "conj",       "nearbyint", "copysign",
                                       "isnan", "isinf", "isinf_sign", "isfinite",  "signbit"};
  return names;
}

/// Of one argument: std::move of a range has three.
const llvm::StringSet<>& std_functions() {
  static const llvm::StringSet<> names{"move", "forward", "as_const", "addressof", "get",
                                       "data", "size",    "ssize",    "empty",     "begin",
                                       "end",  "cbegin",  "cend",     "real",      "imag",
                                       "norm", "conj",    "launder",  "bit_cast",  "to_underlying"};
  return names;
}

/// Classes of numbers and iterators: each of their members is some instructions.
const llvm::StringSet<>& value_classes() {
  static const llvm::StringSet<> names{"complex", "numeric_limits", "reverse_iterator",
                                       "__normal_iterator", "__wrap_iter"};
  return names;
}

/// Classes that hold something; only their accessors are some instructions. Those of libstdc++ with
/// underscores are bases in which such accessors stand.
const llvm::StringSet<>& holders() {
  static const llvm::StringSet<> names{"vector",
                                       "array",
                                       "span",
                                       "valarray",
                                       "optional",
                                       "basic_string",
                                       "unique_ptr",
                                       "shared_ptr",
                                       "basic_string_view",
                                       "__shared_ptr",
                                       "pair",
                                       "__shared_ptr_access",
                                       "tuple",
                                       "variant",
                                       "_Optional_base_impl",
                                       "initializer_list",
                                       "reference_wrapper"};
  return names;
}

const llvm::StringSet<>& accessors() {
  static const llvm::StringSet<> names{"at",    "size",  "length",    "empty", "data",   "c_str",
                                       "begin", "end",   "cbegin",    "cend",  "get",    "front",
                                       "back",  "value", "has_value", "first", "second", "real",
                                       "imag",  "index", "capacity"};
  return names;
}

bool is_accessor(const FunctionDecl& function) {
  if (const IdentifierInfo* name = function.getIdentifier())
    return accessors().contains(name->getName());
  if (isa<CXXConversionDecl>(function)) return true; // to bool
  const OverloadedOperatorKind kind = function.getOverloadedOperator();
  return kind == OO_Subscript || kind == OO_Star || kind == OO_Arrow;
}

StringRef class_name(const CXXRecordDecl& record) {
  return record.getIdentifier() ? record.getName() : StringRef();
}

bool is_value_class(const CXXRecordDecl& record) {
  const StringRef name = class_name(record);
  return value_classes().contains(name) && (record.isInStdNamespace() || name.starts_with("__"));
}

bool is_few_instructions(const CXXMethodDecl& method) {
  const CXXRecordDecl& record = *method.getParent();
  if (is_value_class(record)) return true;
  if (!record.isInStdNamespace()) return false;
  if (isa<CXXConstructorDecl>(method)) // of views and of pairs of numbers
    return method.isConstexpr() && record.hasDefinition() && record.isTriviallyCopyable();
  return holders().contains(class_name(record)) && is_accessor(method);
}

/// An operator between numbers and iterators, at least one of a class.
bool is_value_operator(const FunctionDecl& function) {
  bool of_class = false;
  for (const ParmVarDecl* parameter : function.parameters()) {
    const CXXRecordDecl* record = parameter->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (record && !is_value_class(*record)) return false;
    of_class |= record != nullptr;
  }
  return of_class;
}

bool takes_classes(const FunctionDecl& function) {
  return std::ranges::any_of(function.parameters(), [](const ParmVarDecl* parameter) {
    return parameter->getType().getNonReferenceType()->isRecordType();
  });
}

/// std::min, std::max, std::clamp of numbers, without a function that compares.
bool is_choice(const FunctionDecl& function, StringRef name) {
  const unsigned wanted = name == "clamp" ? 3 : name == "min" || name == "max" ? 2 : 0;
  return wanted && function.getNumParams() == wanted && !takes_classes(function);
}

bool is_c_function(StringRef name) {
  if (c_functions().contains(name)) return true;
  return (name.ends_with("f") || name.ends_with("l")) && c_functions().contains(name.drop_back());
}

} // namespace

bool is_name_of_accessor(StringRef member) { return accessors().contains(member); }

bool is_few_instructions(const FunctionDecl& function) {
  if (const auto* method = dyn_cast<CXXMethodDecl>(&function)) return is_few_instructions(*method);
  if (function.getOverloadedOperator() != OO_None) return is_value_operator(function);
  const IdentifierInfo* identifier = function.getIdentifier();
  if (!identifier) return false;
  StringRef name = identifier->getName();
  const bool global = function.getDeclContext()->getRedeclContext()->isTranslationUnit();
  if (function.isInStdNamespace() &&
      ((std_functions().contains(name) && function.getNumParams() == 1) ||
       is_choice(function, name)))
    return true;
  if (!global && !function.isInStdNamespace()) return false;
  if (global && name.starts_with("_mm")) // vector instructions of immintrin.h
    return name != "_mm_malloc" && name != "_mm_free";
  if (name.consume_front("__builtin_")) {
    const Builtin::Context& builtins = function.getASTContext().BuiltinInfo;
    const unsigned id = function.getBuiltinID();
    if (id && !builtins.isLibFunction(id)) return true; // expect, popcount, va_start
  }
  return is_c_function(name) && !takes_classes(function);
}

} // namespace andes
