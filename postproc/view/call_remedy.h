// What may be done about calls of MPI, or of files, that take long: by what they do, as many of them move no data.
#pragma once
#include <string>

namespace andes::postproc {

/// `advice` in the infinitive, to which a place may be added; `remedy` is a sentence.
struct CallRemedy {
  std::string advice, remedy;
};

/// Of a call that communicates, by its name and kind.
CallRemedy remedy_of_call(const std::string& name, const std::string& kind);

/// Of a call of input or output, by its name and by what the program reads and writes in all.
std::string advice_of_io(const std::string& name, double read_bytes, double written_bytes);

} // namespace andes::postproc
