// InPapi: guards calls of PAPI. They change errno, and they may call back functions of the program; visits of these are
// not counted then.
#pragma once
#include "monitor/core/here.h"

namespace andes {

class InPapi {
public:
  InPapi() : inside_(here.inside), in_papi_(here.in_papi) {
    here.inside = reinterpret_cast<std::uintptr_t>(this);
    here.in_papi = true;
  }
  ~InPapi() {
    here.inside = inside_;
    here.in_papi = in_papi_;
  }
  InPapi(const InPapi&) = delete;
  InPapi& operator=(const InPapi&) = delete;

private:
  KeepErrno keep_errno_;
  std::uintptr_t inside_;
  bool in_papi_;
};

} // namespace andes
