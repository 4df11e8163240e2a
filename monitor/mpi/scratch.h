// Scratch memory of a call with many requests: on the stack for up to 64, else a block of a pool.
//
// Invariants:
//  - a block is reserved address space, taken from the system once and given back to the pool at the
//    end of the call: a program that completes many requests again and again allocates nothing, and
//    what it has not touched costs no memory;
//  - as many blocks as there were calls at once; a call may come in another's callback;
//  - whatever the number of requests there is memory, or get() is null.
#pragma once
#include <cstddef>
#include <cstdlib>

namespace andes::mpi {

/// Room for the requests that are kept at most (requests.h); what is larger is allocated.
constexpr std::size_t block_bytes = std::size_t{64} << 20;

void* take_block(); // null: no address space left
void give_block(void* block);

/// `count` objects, uninitialised.
template <class T> class Scratch {
public:
  explicit Scratch(int count) : bytes_(count > 0 ? sizeof(T) * (std::size_t)count : 0) {
    room_ = bytes_ <= sizeof few_         ? (T*)few_
            : bytes_ <= block_bytes ? (T*)take_block()
                                    : (T*)malloc(bytes_);
  }
  ~Scratch() {
    if (bytes_ <= sizeof few_ || !room_) return;
    if (bytes_ <= block_bytes)
      give_block(room_);
    else
      free(room_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  T* get() { return room_; } // null: memory is short

private:
  std::size_t bytes_;
  T* room_;
  alignas(T) unsigned char few_[64 * sizeof(T)];
};

} // namespace andes::mpi
