// Refusal: why a command stops at something the user gave, in the form of every message of andes: "OBJECT: FACT; REMEDY".
// Thrown wherever that is found; main prints it as one line on standard error and ends with status 2. Nothing half-written
// may be left where it is thrown.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace andes {

/// what() is "object: fact; remedy", without the leading "andes: "; an empty object is left out.
struct Refusal : std::runtime_error {
  Refusal(std::string object_, std::string fact_, std::string remedy_)
      : std::runtime_error((object_.empty() ? "" : object_ + ": ") + fact_ + "; " + remedy_), object(std::move(object_)),
        fact(std::move(fact_)), remedy(std::move(remedy_)) {}
  std::string object, fact, remedy;
  std::string excerpt = {}; // of a file at fault: lines to be shown below, each with its newline
};

[[noreturn]] inline void refuse(std::string object, std::string fact, std::string remedy) {
  throw Refusal(std::move(object), std::move(fact), std::move(remedy));
}

} // namespace andes
