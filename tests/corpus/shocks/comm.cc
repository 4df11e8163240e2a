// comm.cc: what ranks tell each other.
#include "steps.h"

namespace {

template <class T> struct Message {
  T value{};
  void send(int to, MPI_Request* request) { MPI_Isend(&value, sizeof value, MPI_BYTE, to, 7, MPI_COMM_WORLD, request); }
  void receive(int from) { MPI_Recv(&value, sizeof value, MPI_BYTE, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
};

template <class T> T pass(T value, int to, int from) {
  Message<T> out{value}, in{};
  MPI_Request request;
  out.send(to, &request);
  in.receive(from);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return in.value;
}

} // namespace

template <class T> void exchange_ends(const corpus& c, T* left, T* right) {
  const auto ring = [&](T value, int step) { return pass(value, (c.rank + step + c.ranks) % c.ranks, (c.rank - step + c.ranks) % c.ranks); };
  const T from_left = ring(*right, 1), from_right = ring(*left, -1);
  *left = from_left;
  *right = from_right;
}

template void exchange_ends<Real>(const corpus&, Real*, Real*);
template void exchange_ends<int>(const corpus&, int*, int*);

void sum_shared_nodes(Domain& domain, const corpus& c) {
  Real left = domain.fx(0), right = domain.fx(domain.nodes() - 1);
  exchange_ends(c, &left, &right);
  domain.fx(0) += 0.5 * left;
  domain.fx(domain.nodes() - 1) += 0.5 * right;
}
