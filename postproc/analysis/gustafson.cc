#include "postproc/analysis/gustafson.h"

namespace andes::postproc {

double gustafson_fraction(double scaled_speedup, double q) { return (q - scaled_speedup) / (q - 1); }

std::vector<ScaledPoint> scaled_points(const Build& build) {
  std::vector<ScaledPoint> points;
  const Point& base = build.points.front();
  for (const Point& point : build.points) {
    ScaledPoint p{point.size, {1, {}, {}, {}}, {1, {}, {}, {}}, {}};
    const double q = static_cast<double>(point.size) / base.size;
    if (&point != &base) {
      p.efficiency = derive(base.times_s, point.times_s, [](double b, double t) { return b / t; });
      p.scaled_speedup = scaled(p.efficiency, q);
      p.serial_fraction =
          derive(base.times_s, point.times_s, [q](double b, double t) { return gustafson_fraction(q * b / t, q); });
    }
    points.push_back(p);
  }
  return points;
}

} // namespace andes::postproc
