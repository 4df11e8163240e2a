// Short: what does not grow is counted, not listed.
#include "postproc/view/models_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/view/columns/models.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"

namespace andes::postproc {
namespace {

std::string line(const Terminal& terminal, const std::string& text) {
  return wrapped(text, terminal.width, "  ", "  ");
}

/// What is modelled, in words.
std::string quantity(const Models& models) { return models.weak ? "T" : "p x T"; }

PathModelsWords words_of(const Models& models) {
  return {.title = "What grows",
          .of_ranks = models.weak ? "mean over ranks" : "sum over ranks",
          .of_constant = models.weak ? ": their time does not grow" : ": the ranks share their work well",
          .sizes = "size",
          .last = models.times.empty() ? 0 : models.times.back().size,
          .projected = static_cast<double>(models.projected_size)};
}

std::string usl_text(const Terminal& terminal, const Models& models) {
  const Usl& u = *models.usl;
  std::string text =
      fmt::format("USL: contention {}, coherency {}", significant(u.contention, 2), significant(u.coherency, 2));
  if (const auto most = u.most()) {
    const bool beyond = *most > models.times.back().size;
    text += fmt::format(": fastest at {:.0f} {}s{}", *most, unit_of(models.axis), beyond ? ", slower beyond" : "");
  }
  return line(terminal, text + ".");
}

std::string isoefficiency_text(const Terminal& terminal, const Models& models) {
  constexpr double least = 1.05; // less would read "1.0 times the work"
  std::string text;
  for (const Isoefficiency& i : models.isoefficiency) {
    if (i.work < least) continue;
    text += fmt::format("{}{} times the work at {}", text.empty() ? "" : ", ", significant(i.work, 2),
                        text.empty() ? size_text(i.size, models.axis) : std::to_string(i.size));
  }
  if (text.empty()) return {};
  return line(terminal,
              fmt::format("80 % efficiency needs a larger problem: {}, if what is lost does not grow with it.", text));
}

std::string superlinear_text(const Terminal& terminal, const Models& models) {
  if (!models.superlinear) return {};
  const SuperlinearCause& c = *models.superlinear;
  std::string text = fmt::format("Superlinear at {}: instructions per cycle x {}, instructions x {}, frequency x {}",
                                 size_text(c.size, models.axis), significant(c.scaling.per_cycle, 3),
                                 significant(1 / c.scaling.instructions, 3), significant(c.scaling.frequency, 3));
  if (c.misses_before && c.misses_after)
    text += fmt::format(", cache misses in a thousand instructions {} -> {}", significant(*c.misses_before, 2),
                        significant(*c.misses_after, 2));
  return line(terminal, text + ".");
}

} // namespace

std::string term_model_text(const Terminal& terminal, const TermModel& m, const std::string& quantity,
                            const std::string& sizes) {
  const std::string error = significant(std::max(0.1, 100 * m.left_out_error), 2);
  const std::string what = m.course == Course::constant ? fmt::format("is constant as far as the {}s tell", sizes)
                                                        : fmt::format("= {} seconds", m.formula());
  return line(terminal,
              fmt::format("{} {} (the largest {}, left out, is met within {} %).", quantity, what, sizes, error));
}

std::string path_models_text(const Terminal& terminal, const std::vector<PathModel>& paths,
                             const PathModelsWords& words) {
  constexpr std::size_t most = 8;
  std::vector<PathModel> rows = paths;
  std::erase_if(rows, [](const PathModel& p) { return p.model.course == Course::constant; });
  const std::size_t constant = paths.size() - rows.size();
  const auto others = [&](std::size_t count, const char* what) {
    return fmt::format("{} call path{} {} constant{}.", count, count == 1 ? "" : "s", what, words.of_constant);
  };
  if (paths.empty()) return {};
  if (rows.empty()) return line(terminal, others(constant, constant == 1 ? "is" : "are"));
  const std::size_t left = rows.size() > most ? rows.size() - most : 0;
  if (left > 0) rows.resize(most);
  std::string text = fmt::format("  {} (own time, {}):\n", words.title, words.of_ranks) +
                     table_text(terminal, text_table(columns::path_models(words.last, words.projected), rows));
  if (left > 0) text += fmt::format("  and {} more (--json lists them)\n", left);
  text +=
      line(terminal, fmt::format("error %: how far the smaller {}s miss the largest; %: of the sum of all call paths",
                                 words.sizes));
  return constant > 0 ? text + line(terminal, others(constant, constant == 1 ? "is" : "are")) : text;
}

std::string next_size_text(const Models& models) {
  if (!models.next) return {};
  const NextSize& n = *models.next;
  return fmt::format("Measure at {} next: it decides between {} ({}) and {} ({}).", size_text(n.size, models.axis),
                     n.faster.model, time_text(n.faster.time), n.slower.model, time_text(n.slower.time));
}

std::string models_text(const Terminal& terminal, const Models& models) {
  if (models.told.empty()) return {};
  std::string text;
  if (!models.scaled.empty())
    text += "  The work grows with the size (weak scaling):\n" +
            table_text(terminal, text_table(columns::scaled_points(models), models.scaled));
  if (!models.forecasts.empty())
    text += "  Forecast by three models (90 % interval):\n" +
            table_text(terminal, text_table(columns::forecasts(models), models.forecasts));
  if (models.time) text += term_model_text(terminal, *models.time, quantity(models), "size");
  if (models.usl) text += usl_text(terminal, models);
  text += path_models_text(terminal, models.paths, words_of(models)) + isoefficiency_text(terminal, models) +
          superlinear_text(terminal, models);
  return text + line(terminal, models.told);
}

} // namespace andes::postproc
