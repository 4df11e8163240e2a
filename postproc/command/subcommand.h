// A command of andes as its source declares it: its name, its options, what it does. CLI11 reads the command line; its
// headers are included in subcommand.cc and main.cc alone, for every source that includes them compiles all of CLI11.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "postproc/view/format.h"

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace andes::postproc {

/// An option that was just declared, to say more of it.
class Option {
public:
  explicit Option(CLI::Option* option) : option_(option) {}
  /// What stands for its value in the help, like FILE.
  Option value_name(const std::string& name) const;
  Option required() const;
  /// Refuses numbers outside; both bounds are allowed.
  Option range(double lowest, double highest) const;
  Option above_zero() const;
  Option excludes(const Option& other) const;

private:
  CLI::Option* option_;
};

/// The variables given to it get the values from the command line; they must live as long as the command does.
/// `names`: "-o,--out" is an option, "runs" an argument without a name.
class Subcommand {
public:
  Subcommand(CLI::App& app, const std::string& name, const std::string& description);
  Option flag(const std::string& names, bool& value, const std::string& description) const;
  Option option(const std::string& names, std::string& value, const std::string& description) const;
  Option option(const std::string& names, double& value, const std::string& description) const;
  /// Empty unless the option is given.
  Option option(const std::string& names, std::optional<std::string>& value, const std::string& description) const;
  /// Several values in a row.
  Option option(const std::string& names, std::vector<std::string>& values, const std::string& description) const;
  /// Numbers from 0 on, separated by commas or in a row.
  Option option(const std::string& names, std::vector<int>& values, const std::string& description) const;
  /// One value, as often as it is given.
  Option repeated_option(const std::string& names, std::vector<std::string>& values,
                         const std::string& description) const;
  /// `--format NAME`, and for each format but the first the short form `--NAME`. `format` gets the name of the chosen
  /// one, or of the first.
  template <class Results> void formats(std::string& format, const Formats<Results>& list) const {
    formats(format, names_of(list));
  }
  /// `--explain WORD`: prints the definition of a word of its results, in the place of all else.
  void explains() const;
  /// Printed below the options.
  void footer(const std::string& text) const;
  /// Called after all of the command line is read.
  void does(const std::function<void()>& work) const;

private:
  void formats(std::string& format, const std::vector<FormatName>& names) const;

  CLI::App* app_;
};

} // namespace andes::postproc
