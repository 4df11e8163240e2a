#include "tests/fuzz/targets/require_run.h"

#include "postproc/model/read_run.h"

namespace andes::fuzz {

using namespace postproc;

void require_run(const std::string& file) { read_run(file, Detail::tree); }

} // namespace andes::fuzz
