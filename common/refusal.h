// Refusal: the reason why a command refuses input of the user, in the form of every message of andes: "OBJECT: FACT;
// REMEDY". Thrown where the error is found; main prints it as one line on standard error and ends with status 2. Code
// that throws it must not leave half-written files.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace andes {

/// what() is "object: fact; remedy", without the leading "andes: "; an empty object is left out.
struct Refusal : std::runtime_error {
  Refusal(std::string object_, std::string fact_, std::string remedy_)
      : std::runtime_error((object_.empty() ? "" : object_ + ": ") + fact_ + "; " + remedy_),
        object(std::move(object_)), fact(std::move(fact_)), remedy(std::move(remedy_)) {}
  std::string object, fact, remedy;
  std::string excerpt = {}; // of a file at fault: lines to be shown below, each with its newline
};

[[noreturn]] inline void refuse(std::string object, std::string fact, std::string remedy) {
  throw Refusal(std::move(object), std::move(fact), std::move(remedy));
}

} // namespace andes
