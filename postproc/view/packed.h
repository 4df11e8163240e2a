// Bytes as text that may stand in HTML: compressed with zlib, then base64.
#pragma once
#include <string>
#include <string_view>

namespace andes::postproc {

std::string packed(std::string_view bytes);

} // namespace andes::postproc
