// Look-ups of names of MPI in the handle of an MPI library: dlsym(handle, "MPI_Send"), as by ctypes, cffi and Julia.
// They get our entry of that name, so that such calls are measured, too.
//
// Invariant: whoever looks up the real function in order to wrap it gets the real one: look-ups through RTLD_NEXT, by a
// module that defines the name itself, in a process with two MPI libraries, and in one that is not measured.
#pragma once

extern "C" {
/// The dlsym of the C library, or of whoever stands before it. Also called by look_up.S.
[[gnu::visibility("hidden")]] extern void* (*andes_real_dlsym)(void* handle, const char* name);

/// Finds it and fills andes_real_dlsym. Called by look_up.S.
[[gnu::visibility("hidden")]] void* andes_find_dlsym();

/// dlsym(handle, name) for a name that begins with "MPI_", and a handle that is one. `caller`: its return address.
[[gnu::visibility("hidden")]] void* andes_look_up_mpi(void* handle, const char* name, void* caller);
}
