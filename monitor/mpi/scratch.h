// Scratch memory of a call with many requests: on the stack for up to 64, else a block of a pool.
//
// Invariants:
//  - a block is reserved address space, taken from the system once and given back to the pool at the
//    end of the call: a program that completes many requests again and again allocates nothing, and
//    untouched pages cost no memory;
//  - there are as many blocks as there were concurrent calls; a call may come from another's callback;
//  - if memory for the requests is missing, get() is null.
#pragma once
#include <cstddef>
#include <cstdlib>

namespace andes::monitor::mpi {

/// Room for the largest number of kept requests (requests.h); larger arrays are allocated.
constexpr std::size_t block_bytes = std::size_t{64} << 20;

void* take_block(); // null: no address space is left
void give_block(void* block);

/// `count` objects, uninitialised.
template <class T> class Scratch {
public:
  explicit Scratch(int count) : bytes_(count > 0 ? sizeof(T) * static_cast<std::size_t>(count) : 0) {
    room_ = bytes_ <= sizeof few_   ? reinterpret_cast<T*>(few_)
            : bytes_ <= block_bytes ? static_cast<T*>(take_block())
                                    : static_cast<T*>(malloc(bytes_));
  }
  ~Scratch() {
    if (bytes_ <= sizeof few_ || !room_) return;
    if (bytes_ <= block_bytes) give_block(room_);
    else free(room_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  T* get() { return room_; } // null: memory is short

private:
  std::size_t bytes_;
  T* room_;
  alignas(T) unsigned char few_[64 * sizeof(T)];
};

} // namespace andes::monitor::mpi
