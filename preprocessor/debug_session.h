// A file opened with libdw, for the library that `andes_debug_info.so` is.
#pragma once
#include <elfutils/libdwfl.h>

#include <memory>
#include <string>

namespace andes::preprocessor {

using DebugSession = std::unique_ptr<Dwfl, void (*)(Dwfl*)>;

/// Null: the file is none that libdw reads.
inline DebugSession open_debug_session(const std::string& path) {
  static const Dwfl_Callbacks callbacks = [] {
    Dwfl_Callbacks all{};
    all.find_elf = dwfl_build_id_find_elf;
    all.find_debuginfo = dwfl_standard_find_debuginfo;
    all.section_address = dwfl_offline_section_address;
    return all;
  }();
  DebugSession session(dwfl_begin(&callbacks), dwfl_end);
  if (!session || !dwfl_report_offline(session.get(), "", path.c_str(), -1)) return {nullptr, dwfl_end};
  dwfl_report_end(session.get(), nullptr, nullptr);
  return session;
}

} // namespace andes::preprocessor
