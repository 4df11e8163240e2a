#include "monitor/finish/student.h"

namespace andes::monitor {

double student_quantile(double degrees) {
  constexpr double z = 1.959963984540054, z2 = z * z; // of the normal distribution
  constexpr double g1 = z * (z2 + 1) / 4;
  constexpr double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
  constexpr double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  constexpr double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z + (g1 + (g2 + (g3 + g4 / degrees) / degrees) / degrees) / degrees;
}

} // namespace andes::monitor
