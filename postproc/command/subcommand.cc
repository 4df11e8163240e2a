#include "postproc/command/subcommand.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/view/definitions.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

Option Option::value_name(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

Option Option::required() const {
  option_->required();
  return *this;
}

Option Option::range(double lowest, double highest) const {
  option_->check(CLI::Range(lowest, highest));
  return *this;
}

Option Option::above_zero() const {
  option_->check([](const std::string& text) {
    double number = 0;
    const bool is_above = CLI::detail::lexical_cast(text, number) && number > 0;
    return is_above ? std::string() : fmt::format("\"{}\" is no number above 0", text);
  });
  return *this;
}

Option Option::excludes(const Option& other) const {
  option_->excludes(other.option_);
  return *this;
}

Subcommand::Subcommand(CLI::App& app, const std::string& name, const std::string& description)
    : app_(app.add_subcommand(name, description)) {}

Option Subcommand::flag(const std::string& names, bool& value, const std::string& description) const {
  return Option(app_->add_flag(names, value, description));
}

Option Subcommand::option(const std::string& names, std::string& value, const std::string& description) const {
  return Option(app_->add_option(names, value, description));
}

Option Subcommand::option(const std::string& names, double& value, const std::string& description) const {
  return Option(app_->add_option(names, value, description));
}

Option Subcommand::option(const std::string& names, std::optional<std::string>& value,
                          const std::string& description) const {
  return Option(app_->add_option(names, value, description));
}

Option Subcommand::option(const std::string& names, std::vector<std::string>& values,
                          const std::string& description) const {
  return Option(app_->add_option(names, values, description));
}

Option Subcommand::option(const std::string& names, std::vector<int>& values, const std::string& description) const {
  return Option(app_->add_option(names, values, description)->delimiter(',')->check(CLI::NonNegativeNumber));
}

Option Subcommand::repeated_option(const std::string& names, std::vector<std::string>& values,
                                   const std::string& description) const {
  return Option(app_->add_option(names, values, description)->allow_extra_args(false));
}

void Subcommand::formats(std::string& format, const std::vector<FormatName>& names) const {
  std::vector<std::string> known;
  std::vector<CLI::Option*> options;
  for (const FormatName& one : names) {
    known.emplace_back(one.name);
    if (known.size() == 1) format = one.name;
    else
      options.push_back(
          app_->add_flag_callback("--" + known.back(), [&format, name = one.name] { format = name; }, one.sentence));
  }
  const auto is_known = [known](const std::string& name) {
    const bool found = std::find(known.begin(), known.end(), name) != known.end();
    return found ? std::string() : fmt::format("{} is not an output format; give {}", name, fmt::join(known, " or "));
  };
  options.push_back(app_->add_option_function<std::string>(
                            "--format", [&format](const std::string& name) { format = name; },
                            "Output format; --NAME is short for it")
                        ->check(is_known)
                        ->type_name(fmt::format("{}", fmt::join(known, "|"))));
  for (auto one = options.begin(); one != options.end(); ++one)
    for (auto before = options.begin(); before != one; ++before) (*one)->excludes(*before);
}

void Subcommand::explains() const {
  const auto explain = [](const std::string& word) {
    print(definition_text(standard_output(), word));
    throw CLI::Success();
  };
  app_->add_option_function<std::string>("--explain", explain, "Print what a word or a column of the results means")
      ->type_name("WORD")
      ->trigger_on_parse(); // before arguments that it does without are missed
}

void Subcommand::footer(const std::string& text) const { app_->footer(text); }

void Subcommand::does(const std::function<void()>& work) const { app_->callback(work); }

} // namespace andes::postproc
