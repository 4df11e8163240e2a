// steps.h: the parts of a step of time.
#ifndef SHOCKS_STEPS_H
#define SHOCKS_STEPS_H

#include "../corpus.h"
#include "domain.h"

void calc_force(Domain& domain, const corpus& c);
void lagrange_nodal(Domain& domain, const corpus& c, Real dt);
void lagrange_elements(Domain& domain, Real dt);
Real calc_time_constraints(Domain& domain, const corpus& c);
void eval_eos(Domain& domain, int material, int repeats);

template <class T> void exchange_ends(const corpus& c, T* left, T* right);
void sum_shared_nodes(Domain& domain, const corpus& c);

#endif
