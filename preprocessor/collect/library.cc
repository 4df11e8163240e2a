// The list is short on purpose: functions that C and C++ programs call in functions of a few instructions,
// and that every library inlines to a few instructions at -O1. Functions that take as long as a
// probe (exp, pow, malloc) are not in it, nor those whose work depends on their arguments (memcpy of
// an unknown size, std::swap of classes, std::map::operator[]).
#include "preprocessor/collect/library.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "preprocessor/collect/statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringSet.h"

namespace andes::preprocessor {
namespace {

using namespace clang;

/// Of the maths library, with the suffixes f and l, and of stdlib.h.
const llvm::StringSet<>& c_functions() {
  static const llvm::StringSet<> names{"abs",   "labs",       "llabs",    "fabs",   "sqrt",      "fma",      "fmin",
                                       "fmax",  "fdim",       "ceil",     "floor",  "trunc",     "rint",     "round",
                                       "lrint", "creal",      "cimag",    "conj",   "nearbyint", "copysign", "isnan",
                                       "isinf", "isinf_sign", "isfinite", "signbit"};
  return names;
}

/// Of one argument: std::move of a range has three.
const llvm::StringSet<>& std_functions() {
  static const llvm::StringSet<> names{"move",  "forward", "as_const", "addressof", "get",      "data",         "size",
                                       "ssize", "empty",   "begin",    "end",       "cbegin",   "cend",         "real",
                                       "imag",  "norm",    "conj",     "launder",   "bit_cast", "to_underlying"};
  return names;
}

/// Classes of numbers and iterators: each of their members is some instructions, but for waiting.
const llvm::StringSet<>& value_classes() {
  static const llvm::StringSet<> names{"complex",
                                       "numeric_limits",
                                       "reverse_iterator",
                                       "atomic",
                                       "atomic_flag",
                                       "__atomic_base",
                                       "_Deque_iterator",
                                       "_List_iterator",
                                       "_List_const_iterator",
                                       "_Node_iterator",
                                       "_Node_const_iterator",
                                       "_Node_iterator_base",
                                       "_Rb_tree_iterator",
                                       "_Rb_tree_const_iterator",
                                       "_Bit_iterator",
                                       "_Bit_const_iterator",
                                       "_Bit_reference",
                                       "__wrap_iter",
                                       "__normal_iterator"};
  return names;
}

/// Classes that hold values; only their accessors are a few instructions. Names of libstdc++ with
/// underscores are base classes with such accessors.
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

/// Containers of nodes and their adapters: lookups in them take more.
const llvm::StringSet<>& node_containers() {
  static const llvm::StringSet<> names{"map",           "multimap",           "set",           "multiset",
                                       "unordered_map", "unordered_multimap", "unordered_set", "unordered_multiset",
                                       "list",          "forward_list",       "deque",         "queue",
                                       "stack",         "priority_queue"};
  return names;
}

const llvm::StringSet<>& accessors_of_nodes() {
  static const llvm::StringSet<> names{"size", "empty", "begin", "end", "cbegin", "cend", "front", "back", "top"};
  return names;
}

const llvm::StringSet<>& accessors() {
  static const llvm::StringSet<> names{"at",     "size", "length", "empty", "data",     "c_str",   "begin",     "end",
                                       "cbegin", "cend", "get",    "front", "back",     "value",   "has_value", "first",
                                       "second", "real", "imag",   "index", "capacity", "value_or"};
  return names;
}

bool is_accessor(const FunctionDecl& function) {
  if (const IdentifierInfo* name = function.getIdentifier()) return accessors().contains(name->getName());
  if (isa<CXXConversionDecl>(function)) return true; // to bool
  const OverloadedOperatorKind kind = function.getOverloadedOperator();
  return kind == OO_Subscript || kind == OO_Star || kind == OO_Arrow;
}

/// Whether it is in std, or in a class or namespace of it.
bool is_in_std(const Decl& declaration) {
  for (const DeclContext* scope = declaration.getDeclContext(); scope; scope = scope->getParent())
    if (scope->isStdNamespace()) return true;
  return false;
}

StringRef class_name(const CXXRecordDecl& record) { return record.getIdentifier() ? record.getName() : StringRef(); }

bool is_value_class(const CXXRecordDecl& record) {
  const StringRef name = class_name(record);
  return value_classes().contains(name) && (is_in_std(record) || name.starts_with("__"));
}

bool is_short_method(const CXXMethodDecl& method) {
  const CXXRecordDecl& record = *method.getParent();
  const IdentifierInfo* name = method.getIdentifier();
  if (is_value_class(record)) return !name || name->getName() != "wait";
  if (!record.isInStdNamespace()) return false;
  if (isa<CXXConstructorDecl>(method)) // of views and of pairs of numbers
    return method.isConstexpr() && record.hasDefinition() && record.isTriviallyCopyable();
  if (node_containers().contains(class_name(record))) return name && accessors_of_nodes().contains(name->getName());
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

/// std::min, std::swap and similar functions on numbers, without a comparison function.
bool is_of_numbers(const FunctionDecl& function, StringRef name) {
  const bool of_two = name == "min" || name == "max" || name == "swap" || name == "exchange";
  return (of_two || name == "clamp") && function.getNumParams() == (of_two ? 2 : 3) &&
         std::ranges::all_of(function.parameters(), [](const ParmVarDecl* parameter) {
           const QualType type = parameter->getType().getNonReferenceType();
           return type->isScalarType() || type->isDependentType();
         });
}

bool is_memory_function(const FunctionDecl& function) {
  const unsigned kind = function.getMemoryFunctionKind();
  return kind == Builtin::BImemcpy || kind == Builtin::BImemmove || kind == Builtin::BImemset ||
         kind == Builtin::BImemcmp;
}

/// Which parameter of memcpy and its kin, or of a wrapper of them, is the number of bytes.
std::optional<unsigned> size_parameter(const FunctionDecl& function) {
  if (is_memory_function(function)) return 2;
  const Stmt* only = only_statement(function.getBody());
  if (const auto* result = dyn_cast_or_null<ReturnStmt>(only)) only = result->getRetValue();
  const auto* value = dyn_cast_or_null<Expr>(only);
  const auto* call = value ? dyn_cast<CallExpr>(value->IgnoreParenCasts()) : nullptr;
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !is_memory_function(*callee) || call->getNumArgs() < 3) return std::nullopt;
  std::optional<unsigned> size;
  for (const Expr* argument : call->arguments()) {
    const auto* use = dyn_cast<DeclRefExpr>(argument->IgnoreParenCasts());
    const auto* parameter = use ? dyn_cast<ParmVarDecl>(use->getDecl()) : nullptr;
    if (!parameter) return std::nullopt;
    if (argument == call->getArg(2)) size = parameter->getFunctionScopeIndex();
  }
  return size;
}

bool is_c_function(StringRef name) {
  if (c_functions().contains(name)) return true;
  return (name.ends_with("f") || name.ends_with("l")) && c_functions().contains(name.drop_back());
}

/// Maths functions that are real calls.
const llvm::StringSet<>& maths_functions() {
  static const llvm::StringSet<> names{"exp",  "exp2", "expm1", "log",  "log2",  "log10", "log1p", "pow",   "sin",
                                       "cos",  "tan",  "asin",  "acos", "atan",  "atan2", "sinh",  "cosh",  "tanh",
                                       "cbrt", "erf",  "erfc",  "fmod", "hypot", "asinh", "acosh", "atanh", "sincos"};
  return names;
}

/// Classes that are being looked at, with whether one around them has a destructor: for templates of themselves.
using Seen = std::set<std::pair<const CXXRecordDecl*, bool>>;

/// Whether work on such a value is bounded by its size: no class in it, or that it is a template of, owns memory. That
/// is one with a destructor of its own and a pointer in it.
bool is_value(QualType type, const ASTContext& context, Seen& seen, bool destroyed = false) {
  type = type.getNonReferenceType().getUnqualifiedType();
  if (type->isVoidType() || type->isArithmeticType() || type->isEnumeralType()) return true;
  if (const auto* array = context.getAsConstantArrayType(type))
    return is_value(array->getElementType(), context, seen, destroyed);
  const CXXRecordDecl* record = type->isDependentType() ? nullptr : type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return false;
  record = record->getDefinition();
  destroyed = destroyed || !record->hasTrivialDestructor();
  if (!seen.insert({record, destroyed}).second) return true;
  for (const FieldDecl* field : record->fields())
    if (field->getType()->isPointerType() ? destroyed : !is_value(field->getType(), context, seen, destroyed))
      return false;
  for (const CXXBaseSpecifier& base : record->bases())
    if (!is_value(base.getType(), context, seen, destroyed)) return false;
  const auto* made = dyn_cast<ClassTemplateSpecializationDecl>(record);
  return !made || std::ranges::all_of(made->getTemplateArgs().asArray(), [&](const TemplateArgument& argument) {
    const CXXRecordDecl* of =
        argument.getKind() == TemplateArgument::Type ? argument.getAsType()->getAsCXXRecordDecl() : nullptr;
    return !of || !of->hasDefinition() || is_value(argument.getAsType(), context, seen);
  });
}

} // namespace

bool is_of_std(const FunctionDecl& function) { return is_in_std(function); }

unsigned operations_of_maths(const FunctionDecl& function) {
  constexpr unsigned operations = 60; // about so many instructions, plus or minus half
  const IdentifierInfo* identifier = function.getIdentifier();
  const DeclContext& scope = *function.getDeclContext()->getRedeclContext();
  if (!identifier || !(scope.isTranslationUnit() || function.isInStdNamespace()) || takes_classes(function)) return 0;
  StringRef name = identifier->getName();
  name.consume_front("__builtin_");
  if (maths_functions().contains(name)) return operations;
  return (name.ends_with("f") || name.ends_with("l")) && maths_functions().contains(name.drop_back()) ? operations : 0;
}

unsigned operations_on_values(const FunctionDecl& function) {
  const auto* method = dyn_cast<CXXMethodDecl>(&function);
  const ASTContext& context = function.getASTContext();
  if (!function.isInlined() && !function.isTemplateInstantiation()) return 0;
  if (function.isDependentContext() || (method && method->isVirtual())) return 0;
  if (is_of_std(function)) return 0; // containers and algorithms: is_few_instructions() knows those that are short
  std::uint64_t bytes = 0;
  const auto counts = [&](QualType type) {
    constexpr std::uint64_t most_bytes = 512; // of one value
    Seen seen;
    if (!is_value(type, context, seen)) return false;
    type = type.getNonReferenceType();
    const auto size = type->isVoidType() ? 0 : std::uint64_t(context.getTypeSizeInChars(type).getQuantity());
    bytes += size;
    return size <= most_bytes;
  };
  if (method && !method->isStatic() && !counts(context.getRecordType(method->getParent()))) return 0;
  if (!isa<CXXConstructorDecl, CXXDestructorDecl>(function) && !counts(function.getReturnType())) return 0;
  for (const ParmVarDecl* parameter : function.parameters())
    if (!counts(parameter->getType())) return 0;
  return unsigned(2 + bytes / 4); // two for each word
}

/// Operations of looking something up in sorted values or a table.
constexpr unsigned looked_up = 60;

/// Whether it is a function of <algorithm> that bisects, without a comparison by the program.
bool bisects(StringRef name, unsigned arguments) {
  return arguments == 3 && (name == "lower_bound" || name == "upper_bound" || name == "binary_search");
}

unsigned operations_of_std(const OverloadExpr& callee, unsigned arguments) {
  const IdentifierInfo* name = callee.getName().getAsIdentifierInfo();
  const bool of_std = callee.getNumDecls() > 0 && is_in_std(**callee.decls_begin());
  return name && of_std && bisects(name->getName(), arguments) ? looked_up : 0;
}

unsigned operations_of_std(const FunctionDecl& function) {
  constexpr unsigned at_an_end = 20; // operations
  static const llvm::StringSet<> ends{
      "push_back", "push_front", "emplace_back", "emplace_front", "pop_back", "pop_front", "push", "emplace", "pop"},
      lookups{"find", "count", "contains", "lower_bound", "upper_bound"},
      sequences{"vector", "deque", "stack", "queue", "basic_string"},
      by_key{"map", "set", "unordered_map", "unordered_set", "multimap", "multiset"};
  const auto* method = dyn_cast<CXXMethodDecl>(&function);
  if (!method && is_in_std(function) && function.getIdentifier())
    return bisects(function.getName(), function.getNumParams()) ? looked_up : 0;
  const IdentifierInfo* name = method ? method->getIdentifier() : nullptr;
  const auto* made = method ? dyn_cast<ClassTemplateSpecializationDecl>(method->getParent()) : nullptr;
  if (!name || !made || !made->isInStdNamespace() || made->getTemplateArgs().size() == 0) return 0;
  const TemplateArgument& first = made->getTemplateArgs()[0];
  if (first.getKind() != TemplateArgument::Type) return 0;
  const QualType type = first.getAsType();
  const ASTContext& context = function.getASTContext();
  if (type->isDependentType() || type->isIncompleteType() || !type.isTriviallyCopyableType(context)) return 0;
  if (sequences.contains(class_name(*made)) && ends.contains(name->getName())) return at_an_end;
  return by_key.contains(class_name(*made)) && lookups.contains(name->getName()) ? looked_up : 0;
}

bool is_memory_wrapper(const FunctionDecl& function) {
  return !is_memory_function(function) && size_parameter(function).has_value();
}

unsigned words_moved(const CallExpr& call, const ASTContext& context) {
  const FunctionDecl* callee = call.getDirectCallee();
  const std::optional<unsigned> at = callee ? size_parameter(*callee) : std::nullopt;
  const Expr* size = at && *at < call.getNumArgs() ? call.getArg(*at) : nullptr;
  Expr::EvalResult bytes;
  constexpr std::uint64_t most = 64;
  if (!size || size->isValueDependent() || !size->EvaluateAsInt(bytes, context) || bytes.Val.getInt().ugt(most))
    return 0;
  return unsigned(std::max<std::uint64_t>(1, (bytes.Val.getInt().getZExtValue() + 7) / 8));
}

bool is_name_of_accessor(StringRef member) { return accessors().contains(member); }

bool is_name_of_functor(StringRef record) {
  static const llvm::StringSet<> names{"hash",     "less",         "less_equal", "greater", "greater_equal",
                                       "equal_to", "not_equal_to", "plus",       "minus",   "multiplies",
                                       "divides",  "modulus",      "negate"};
  return names.contains(record);
}

bool is_few_instructions(const FunctionDecl& function) {
  if (const auto* method = dyn_cast<CXXMethodDecl>(&function)) return is_short_method(*method);
  if (function.getOverloadedOperator() != OO_None) return is_value_operator(function);
  const IdentifierInfo* identifier = function.getIdentifier();
  if (!identifier) return false;
  StringRef name = identifier->getName();
  const bool global = function.getDeclContext()->getRedeclContext()->isTranslationUnit();
  if (function.isInStdNamespace() &&
      ((std_functions().contains(name) && function.getNumParams() == 1) || is_of_numbers(function, name)))
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

} // namespace andes::preprocessor
