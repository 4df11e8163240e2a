// The hooks that compilers call in functions built with -finstrument-functions.
#pragma once

extern "C" {
/// `function` is entered; it returns to `caller`.
void __cyg_profile_func_enter(void* function, void* caller);
void __cyg_profile_func_exit(void* function, void* caller);
}
