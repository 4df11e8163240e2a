#include "postproc/launch/baselines.h"

#include <filesystem>
#include <set>

#include <fmt/ranges.h>

#include "common/refusal.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

constexpr const char* run_ending = ".andes";

/// Numbers of the series of a name.
std::set<int> numbers_in(const fs::path& directory) {
  std::set<int> numbers;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(directory, none)) {
    const std::string name = entry.path().filename();
    if (!name.empty() && name.size() <= 6 && name.find_first_not_of("0123456789") == std::string::npos)
      numbers.insert(std::stoi(name));
  }
  return numbers;
}

fs::path series_of_number(const fs::path& directory, int number) { return directory / fmt::format("{:03}", number); }

/// Run files, and then the directory if nothing else is in it.
void remove_series(const fs::path& directory) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(directory, none))
    if (entry.path().extension() == run_ending) fs::remove(entry.path(), none);
  fs::remove(directory, none);
}

} // namespace

void check_baseline_name(const std::string& option, const std::string& name) {
  if (name.empty() || name.front() == '.' || name.find_first_of("/ \t\n") != std::string::npos)
    refuse(fmt::format("{} {}", option, name), "cannot be the name of a baseline", "give a word like main");
}

std::string baseline_name(const std::string& option, const std::string& word) {
  if (word.empty() || word.front() != '@') return {};
  const std::string name = word.substr(1);
  check_baseline_name(option, name);
  return name;
}

std::string find_baseline(const std::string& place, const std::string& name) {
  const fs::path directory = fs::path(place) / name;
  const std::set<int> numbers = numbers_in(directory);
  if (!numbers.empty()) return series_of_number(directory, *numbers.rbegin());
  std::set<std::string> known;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(place, none)) known.insert(entry.path().filename());
  refuse("@" + name, fmt::format("there is no baseline of this name in {}", place),
         known.empty() ? fmt::format("andes gate --save {} keeps one", name)
                       : fmt::format("there are {}; andes gate --save {} keeps one", fmt::join(known, ", "), name));
}

std::string save_baseline(const std::string& place, const std::string& name, const std::string& runs) {
  const fs::path directory = fs::path(place) / name;
  std::error_code failed;
  fs::create_directories(directory, failed);
  const auto check = [&failed, &directory] {
    if (failed) refuse(directory, fmt::format("cannot be written: {}", failed.message()), "choose another --baselines");
  };
  check();
  std::set<int> numbers = numbers_in(directory);
  const int number = numbers.empty() ? 1 : *numbers.rbegin() + 1;
  const fs::path series = series_of_number(directory, number), part = series.string() + ".part";
  remove_series(part);
  fs::create_directory(part, failed);
  check();
  for (const auto& entry : fs::directory_iterator(runs)) {
    if (entry.path().extension() != run_ending) continue;
    fs::copy_file(entry.path(), part / entry.path().filename(), failed);
    if (failed) remove_series(part);
    check();
  }
  fs::rename(part, series, failed);
  if (failed) remove_series(part);
  check();
  numbers.insert(number);
  for (; numbers.size() > kept_of_a_name; numbers.erase(numbers.begin()))
    remove_series(series_of_number(directory, *numbers.begin()));
  return series;
}

} // namespace andes::postproc
