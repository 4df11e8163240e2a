// Settings of the preprocessor: where `andes cc` and `andes instrument` insert probes. One list
// for their options (--<key>, with - for _), for ANDES_<KEY> in the environment of a build, for the
// settings file of a build (configs/build.info) and for `andes run`, which ignores them.
//
// The list is separate from the monitor's, since the two are read by different programs at different times: a key of
// one list in the file of the other would silently do nothing, so it is refused. In a build an ANDES_ variable that
// resembles no key is accepted: builds older than andes may use such names. `andes run` refuses every unknown one.
#pragma once

#include "monitor/interface/settings.h"

namespace andes {

inline constexpr Setting build_settings[] = {
    {"select", "default", "text", "which functions get a probe"},
    {"headers", "own", "none|own|all", "headers whose functions get probes: none, the program's own, or all"},
    {"third_party",
     "third_party thirdparty third-party 3rdparty external externals extern vendor vendored deps "
     "_deps subprojects",
     "text", "headers in directories with these names are not the program's own"},
    {"hooks", "off", "off|on", "the compiler's own hooks instrument what Clang cannot read"},
    {"loops", "none", "none|outer|all", "loops that become regions: none, the outermost of each function, or all"},
    {"openmp", "on", "on|off", "OpenMP constructs become regions"},
    {"reading_server", "on", "on|off", "andes build reads once what many sources begin with"},
};

/// Besides them ANDES_BUILD names the settings file of a build, as --config does.
inline constexpr const char* build_file_variable = "ANDES_BUILD";

} // namespace andes
