// Student's t distribution.
#pragma once

namespace andes::monitor {

/// 97.5 % quantile for two degrees of freedom and more (within 1 %); its expansion about the normal one, Abramowitz
/// and Stegun 26.7.5.
double student_quantile(double degrees);

} // namespace andes::monitor
