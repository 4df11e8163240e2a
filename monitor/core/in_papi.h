// InPapi: guards calls of PAPI. They change errno, and they may call back functions of the program; visits of these are
// not counted then.
#pragma once
#include "monitor/core/this_thread.h"

namespace andes::monitor {

class InPapi {
public:
  InPapi() : inside_(this_thread.inside), in_papi_(this_thread.in_papi) {
    this_thread.inside = reinterpret_cast<std::uintptr_t>(this);
    this_thread.in_papi = true;
  }
  ~InPapi() {
    this_thread.inside = inside_;
    this_thread.in_papi = in_papi_;
  }
  InPapi(const InPapi&) = delete;
  InPapi& operator=(const InPapi&) = delete;

private:
  KeepErrno keep_errno_;
  std::uintptr_t inside_;
  bool in_papi_;
};

} // namespace andes::monitor
