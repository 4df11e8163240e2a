// Words that one thread writes while others read them, and on which no other data depend: a reader needs a whole
// value, old or new, in no order with anything else. On x86 and aarch64 such an access is an ordinary instruction.
#pragma once

namespace andes::monitor {

template <class T> T load_relaxed(const T& word) {
  T value;
  __atomic_load(&word, &value, __ATOMIC_RELAXED);
  return value;
}

template <class T> void store_relaxed(T& word, T value) { __atomic_store(&word, &value, __ATOMIC_RELAXED); }

/// Adds to a word that no other thread writes at the same time.
template <class T> void add_relaxed(T& word, T more) { store_relaxed(word, static_cast<T>(load_relaxed(word) + more)); }

} // namespace andes::monitor
