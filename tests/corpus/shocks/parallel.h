// parallel.h: loops over elements with a body, as RAJA and Kokkos have them.
#ifndef SHOCKS_PARALLEL_H
#define SHOCKS_PARALLEL_H

#include "domain.h"

template <class Body> void for_each(Index n, Body body) {
  for (Index i = 0; i < n; ++i) body(i);
}

template <class T, class Map> T reduce(Index n, T start, Map map) {
  T result = start;
  for (Index i = 0; i < n; ++i) result = map(result, i);
  return result;
}

template <int Width, class Body> void for_blocks(Index n, Body body) {
  for (Index i = 0; i < n; i += Width) body(i, i + Width < n ? i + Width : n);
}

#endif
