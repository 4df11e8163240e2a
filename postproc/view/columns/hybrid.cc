// Factors are per cent for people; those that lose a fifth and more are coloured.
#include "postproc/view/columns/hybrid.h"

#include "postproc/analysis/warnings.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

/// A factor of a part; in JSON it is called `name`.
template <class Part, class Member>
Column<Part> factor(const char* key, const char* name, Member member, const char* title) {
  return {.key = key,
          .value = member,
          .text = {.title = title, .cell = [member](const Part& part) { return efficiency_cell(part.*member); }},
          .json_path = {name}};
}

List<MpiPart> mpi_part() {
  using Part = MpiPart;
  return List<Part>{
      factor<Part>("mpi_parallel", "parallel", &Part::parallel, "= MPI %"),
      factor<Part>("mpi_load_balance", "load_balance", &Part::load_balance, "MPI: load balance %"),
      factor<Part>("mpi_communication", "communication", &Part::communication, "communication %"),
      factor<Part>("mpi_serialisation", "serialisation", &Part::serialisation, "serialisation %"),
      factor<Part>("mpi_transfer", "transfer", &Part::transfer, "transfer %"),
  };
}

List<TeamPart> team_part() {
  using Part = TeamPart;
  return List<Part>{
      factor<Part>("team_parallel", "parallel", &Part::parallel, "threads %"),
      factor<Part>("serial_regions", "serial_regions", &Part::serial_regions, "= serial regions %"),
      factor<Part>("team_load_balance", "load_balance", &Part::load_balance, "x team balance %"),
      factor<Part>("barriers", "barriers", &Part::barriers, "x barriers %"),
      factor<Part>("scheduling", "scheduling", &Part::scheduling, "x scheduling %"),
      factor<Part>("mpi_in_regions", "mpi_in_regions", &Part::mpi_in_regions, "x MPI in regions %"),
  };
}

List<HybridSize> grid_place() {
  return List<HybridSize>{
      {.text = {.title = "ranks", .cell = [](const HybridSize& size) { return std::to_string(size.ranks); }}},
      {.text = {.title = "threads", .cell = [](const HybridSize& size) { return std::to_string(size.threads); }}}};
}

} // namespace

List<Hybrid> hybrid() {
  List<Hybrid> list{
      {.key = "hybrid_parallel", .value = &Hybrid::parallel, .json_path = {"parallel"}},
      {.key = "threads", .value = &Hybrid::threads, .csv = false, .json_path = {"threads", "sum"}},
      {.key = "threads_min", .value = &Hybrid::threads_min, .csv = false, .json_path = {"threads", "min"}},
      {.key = "threads_max", .value = &Hybrid::threads_max, .csv = false, .json_path = {"threads", "max"}},
      {.key = "useful_s", .value = &Hybrid::useful_s, .csv = false},
      {.key = "serial_s", .value = &Hybrid::serial_s, .csv_after = "mpi_in_regions"},
  };
  append(list, of_part<Hybrid>(within("mpi", mpi_part()), [](const Hybrid& h) { return &h.mpi; }));
  append(list, of_part<Hybrid>(within("team", team_part()), [](const Hybrid& h) { return &h.team; }));
  append(list, List<Hybrid>{
                   {.key = "threads_apart",
                    .value = &Hybrid::threads_apart,
                    .csv = false,
                    .json_path = {"threads_apart", "number"}},
                   {.key = "apart_compute_s",
                    .value = &Hybrid::apart_compute_s,
                    .csv = false,
                    .json_path = {"threads_apart", "compute_s"}},
               });
  return list;
}

List<HybridSize> mpi_parts(bool has_mpi) {
  List<HybridSize> list = grid_place();
  append(list, List<HybridSize>{
                   {.text = {.title = "parallel %",
                             .cell = [](const HybridSize& size) { return efficiency_cell(size.hybrid.parallel); }}},
                   {.text = {.title = "x threads %",
                             .cell =
                                 [](const HybridSize& size) {
                                   return size.has_teams ? efficiency_cell(size.hybrid.team.parallel) : Cell();
                                 }},
                    .text_after = "mpi_parallel"}});
  List<HybridSize> part =
      text_alone(of_part<HybridSize>(mpi_part(), [](const HybridSize& size) { return &size.hybrid.mpi; }));
  if (!has_mpi) {
    std::erase_if(part, [](const auto& column) { return column.key != "mpi_parallel"; });
    part.front().text.title = "= program %";
  }
  append(list, part);
  return list;
}

List<HybridSize> team_parts(bool mpi_in_regions) {
  List<HybridSize> list = grid_place();
  append(list, text_alone(of_part<HybridSize>(team_part(), [](const HybridSize& size) { return &size.hybrid.team; })));
  if (!mpi_in_regions) std::erase_if(list, [](const auto& column) { return column.key == "mpi_in_regions"; });
  append(list, List<HybridSize>{{.text = {.title = "serial time % of T", .cell = [](const HybridSize& size) {
                                            return fixed(100 * size.hybrid.serial_s / (size.ranks * size.time_s), 1);
                                          }}}});
  return list;
}

} // namespace andes::postproc::columns
