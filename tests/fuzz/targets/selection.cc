// Selection files, and what they say of made-up names; names that `andes filter` writes must be read as
// what was meant.
#include "tests/fuzz/targets/input.h"

#include "monitor/interface/selection_line.h"
#include "common/message.h"
#include "preprocessor/selection.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) try {
  using namespace andes;
  using namespace andes::preprocessor;
  fuzz::Input input(bytes, size);
  const std::string name = input.ConsumeRandomLengthString(200);
  const std::string file = input.ConsumeRandomLengthString(100);
  const Selection selection = parse_selection(input.ConsumeRemainingBytesAsString(), "a.sel");
  const std::vector<std::string> names = {name, "Grid::step(int)", "operator new"};
  choose(selection, names, file, {"_ZN4Grid4stepEi"});
  selects_nothing(selection, file);
  selects_nothing(selection);
  wants_mangled_names(selection);
  return 0;
} catch (const andes::Refusal&) {
  return 0;
}
