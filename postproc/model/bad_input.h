// BadInput: what is wrong with something the user gave, in the form of every message of andes:
// "andes: OBJECT: FACT; REMEDY" (invariant 7). Thrown by readers, caught by the commands, which
// print it as one line and end with status 2.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace andes {

struct BadInput : std::runtime_error {
  BadInput(std::string object_, std::string fact_, std::string remedy_)
      : std::runtime_error("andes: " + object_ + ": " + fact_ + "; " + remedy_),
        object(std::move(object_)), fact(std::move(fact_)), remedy(std::move(remedy_)) {}
  std::string object, fact, remedy;
};

} // namespace andes
