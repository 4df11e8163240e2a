// Names of regions, taken apart: what is left of them if lines move, template arguments or parameters change.
// Lambdas and loops have lines in their names (`solve::{loop:14}`, `main::{lambda:12:5}`), and so have places of
// calls (`exchange heat.c:40`); what remains of these is the function that they lie in.
#pragma once
#include <string>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// `main::{lambda:12}::{loop:14:3}` as `main::{lambda}::{loop}`; of a place of calls the function.
std::string without_lines(const Region& region);

/// The function, or lambda, whose name a lambda or loop begins with, as it is there: `main::{lambda:12}`; of a place of
/// calls the function. Empty: the name does not say.
std::string owner_in_name(const Region& region);

/// `Grid<double, 3>::step` as `Grid::step`. Operators stay.
std::string without_arguments(const std::string& name);

/// `norm(const Field &, int) const` as `norm`.
std::string without_parameters(const std::string& name);

/// `ns::Grid<ns::Cell>::step<ns::Cell>(ns::Cell)` as `step<ns::Cell>(ns::Cell)`.
std::string without_scopes(const std::string& name);

/// The bare name: `Grid<ns::Cell>::step` as `step`.
std::string last_name(const std::string& name);

/// From 0 (nothing in common) to 1: how alike two names are to a reader, by pairs of letters (Dice 1945).
double name_likeness(const std::string& a, const std::string& b);

} // namespace andes::postproc
