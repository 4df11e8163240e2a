// The file is MessagePack: {format, texts, runs}. Texts that recur, which are nearly all, stand in a list once. A run
// is known by its path below the directory, its size and its time.
#include "postproc/command/history_cache.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "postproc/model/read_run.h"

namespace andes::postproc {
namespace {

using Json = nlohmann::json;

constexpr int cache_format = 2; // another number where HistoryRun, or how it is computed, changes
constexpr const char* cache_name = ".andes-history";

/// "SIZE TIME" of a file; empty: it cannot be asked.
std::string state_of(const std::string& file) {
  struct stat facts;
  if (stat(file.c_str(), &facts) != 0) return {};
  return fmt::format("{} {}.{:09}", facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

/// The texts of a cache, by number.
class Texts {
public:
  Json number(const std::string& text) {
    const auto [found, fresh] = numbers_.try_emplace(text, all_.size());
    if (fresh) all_.push_back(text);
    return found->second;
  }
  const std::vector<std::string>& all() const { return all_; }

private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::string> all_;
};

/// The texts of a run, in the order in which they are kept.
template <class Run> auto texts_of(Run& run) {
  return std::array{&run.why_not,
                    &run.program,
                    &run.command,
                    &run.label,
                    &run.host,
                    &run.mpi,
                    &run.started,
                    &run.kernel,
                    &run.monitor,
                    &run.stamp.commit,
                    &run.stamp.commit_time,
                    &run.stamp.branch,
                    &run.stamp.compiler,
                    &run.stamp.flags,
                    &run.build};
}

constexpr double LedgerPath::* path_numbers[] = {
    &LedgerPath::lost_s, &LedgerPath::computation_s, &LedgerPath::communication_s,
    &LedgerPath::idle_s, &LedgerPath::io_s,          &LedgerPath::threads_s};

Json kept(const HistoryRun& run, const std::string& state, Texts& texts) {
  Json all = Json::array(), parts = Json::array(), titles = Json::array(), paths = Json::array();
  for (const std::string* text : texts_of(run)) all.push_back(texts.number(*text));
  for (const auto& [name, seconds] : run.parts) parts.push_back({texts.number(name), seconds});
  for (const auto& [name, title] : run.titles) titles.push_back({texts.number(name), texts.number(title)});
  for (const LedgerPath& path : run.paths) {
    Json names = Json::array(), numbers = Json::array();
    for (const std::string& name : path.path) names.push_back(texts.number(name));
    for (const auto number : path_numbers) numbers.push_back(path.*number);
    paths.push_back({names, texts.number(path.file), path.line, numbers});
  }
  return {state, all, run.stamp.dirty, run.ranks, run.threads, run.time_s, run.core_s, parts, titles, paths};
}

HistoryRun recalled(const Json& json, const std::vector<std::string>& texts) {
  const auto text = [&texts](const Json& number) { return texts.at(number.get<std::size_t>()); };
  HistoryRun run;
  std::size_t next = 0;
  for (std::string* one : texts_of(run)) *one = text(json.at(1).at(next++));
  run.stamp.dirty = json.at(2).get<bool>();
  run.ranks = json.at(3).get<int>();
  run.threads = json.at(4).get<int>();
  run.time_s = json.at(5).get<double>();
  run.core_s = json.at(6).get<double>();
  for (const Json& part : json.at(7)) run.parts[text(part.at(0))] = part.at(1).get<double>();
  for (const Json& title : json.at(8)) run.titles[text(title.at(0))] = text(title.at(1));
  for (const Json& one : json.at(9)) {
    LedgerPath path;
    for (const Json& name : one.at(0)) path.path.push_back(text(name));
    path.file = text(one.at(1));
    path.line = one.at(2).get<int>();
    std::size_t number = 0;
    for (const auto member : path_numbers) path.*member = one.at(3).at(number++).get<double>();
    run.paths.push_back(std::move(path));
  }
  return run;
}

/// The kept runs by path, with the state of their files; none of a cache that is damaged.
std::map<std::string, std::pair<std::string, HistoryRun>> read_cache(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  std::map<std::string, std::pair<std::string, HistoryRun>> runs;
  try {
    const Json json = Json::from_msgpack(bytes, true, true);
    if (json.at("format") != cache_format || json.at("version") != ANDES_VERSION) return {};
    const auto texts = json.at("texts").get<std::vector<std::string>>();
    for (const auto& [path, run] : json.at("runs").items())
      runs[path] = {run.at(0).get<std::string>(), recalled(run, texts)};
  } catch (const std::exception&) { // a damaged cache is an empty one
    return {};
  }
  return runs;
}

/// Does nothing if the cache cannot be written: the next history reads all runs again.
void write_cache(const std::string& file, const Json& runs, const Texts& texts) {
  const std::string fresh = fmt::format("{}.{}", file, getpid());
  std::vector<std::uint8_t> bytes;
  try {
    bytes = Json::to_msgpack(
        Json{{"format", cache_format}, {"version", ANDES_VERSION}, {"texts", texts.all()}, {"runs", runs}});
  } catch (const Json::exception&) { // a path that is no UTF-8
    return;
  }
  std::ofstream stream(fresh, std::ios::binary | std::ios::trunc);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream || std::rename(fresh.c_str(), file.c_str()) != 0) unlink(fresh.c_str());
}

} // namespace

std::vector<HistoryRun> history_runs(const std::string& directory, const std::vector<std::string>& files) {
  const std::string cache = (std::filesystem::path(directory) / cache_name).string();
  auto known = read_cache(cache);
  std::vector<HistoryRun> runs;
  Json kept_runs = Json::object();
  Texts texts;
  bool changed = false;
  std::size_t found = 0;
  for (const std::string& file : files) {
    const std::string path =
        std::filesystem::path(file).lexically_relative(std::filesystem::path(directory).lexically_normal()).string();
    const std::string state = state_of(file);
    const auto before = known.find(path);
    const bool is_known = before != known.end() && !state.empty() && before->second.first == state;
    try {
      HistoryRun run = is_known ? std::move(before->second.second) : history_run_of(read_run(file, Detail::tree));
      run.file = file;
      found += is_known;
      changed = changed || !is_known;
      kept_runs[path] = kept(run, state, texts);
      runs.push_back(std::move(run));
    } catch (const Refusal& trouble) {
      print_skipped(trouble);
    }
  }
  if (changed || found < known.size()) write_cache(cache, kept_runs, texts);
  return runs;
}

} // namespace andes::postproc
