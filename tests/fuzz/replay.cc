// Drives a fuzz target without libFuzzer: all files of the directories given, then as many inputs from a seed as
// -runs says, half of them made of these files by small changes, half out of nothing. Of libFuzzer's options it
// knows -runs, -seed, -max_len and -artifact_prefix, so that fuzz.py calls both alike; without coverage or
// sanitizers it finds what crashes, ends or hangs, and guards against what was once found.
//
// The same seed and files give the same inputs everywhere.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* count, char*** words); // not all have one

namespace {

using Bytes = std::vector<std::uint8_t>;
using Random = std::mt19937_64; // and no distributions: libraries differ in them

struct Options {
  std::uint64_t runs = 1000, seed = 1;
  std::size_t most_bytes = 4096;
  std::string kept; // name of the file for an input that breaks the target
  std::vector<std::string> places;
};

struct Running {
  const Bytes* input = nullptr;
  char kept[4096] = {};
} running;

/// In a signal handler: keeps the input and lets the signal do what it does.
void keep_input(int number) {
  const int file = open(running.kept, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file >= 0 && running.input && write(file, running.input->data(), running.input->size()) >= 0) close(file);
  std::signal(number, SIG_DFL);
  std::raise(number);
}

Options read_options(int count, char** words) {
  Options options;
  const std::string names[] = {"-runs=", "-seed=", "-max_len=", "-artifact_prefix="};
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&](int name) { return word.substr(names[name].size()); };
    if (word.rfind(names[0], 0) == 0) options.runs = std::stoull(value(0));
    else if (word.rfind(names[1], 0) == 0) options.seed = std::stoull(value(1));
    else if (word.rfind(names[2], 0) == 0) options.most_bytes = std::stoull(value(2));
    else if (word.rfind(names[3], 0) == 0) options.kept = value(3) + "input";
    else if (word[0] != '-') options.places.push_back(word);
  }
  return options;
}

/// Of files and directories, in the order of their names.
std::vector<Bytes> files_of(const std::vector<std::string>& places) {
  std::vector<std::string> paths;
  for (const std::string& place : places)
    if (!std::filesystem::is_directory(place)) paths.push_back(place);
    else
      for (const auto& entry : std::filesystem::directory_iterator(place)) paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> files;
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return files;
}

void change(Bytes& bytes, Random& random) {
  if (bytes.empty()) bytes.push_back(0);
  const auto at = static_cast<std::ptrdiff_t>(random() % bytes.size());
  const auto left = static_cast<std::ptrdiff_t>(bytes.size()) - at;
  const std::ptrdiff_t some = std::min<std::ptrdiff_t>(left, 1 + static_cast<std::ptrdiff_t>(random() % 16));
  switch (random() % 5) {
  case 0: bytes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random()); break;
  case 1: bytes[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1u << random() % 8); break;
  case 2: bytes.erase(bytes.begin() + at, bytes.begin() + at + some); break;
  case 3: bytes.insert(bytes.begin() + at, static_cast<std::uint8_t>(random())); break;
  case 4: {
    const Bytes piece(bytes.begin() + at, bytes.begin() + at + some);
    const auto to = static_cast<std::ptrdiff_t>(random() % bytes.size());
    bytes.insert(bytes.begin() + to, piece.begin(), piece.end());
    break;
  }
  }
}

Bytes made(const std::vector<Bytes>& files, std::size_t most_bytes, Random& random) {
  Bytes bytes;
  if (!files.empty() && random() % 2) {
    bytes = files[random() % files.size()];
    for (std::uint64_t changes = 1 + random() % 8; changes > 0; --changes) change(bytes, random);
  } else { // short ones as often as long ones
    const std::uint64_t width = 1 + random() % 12;
    bytes.resize(1 + random() % (std::uint64_t{1} << width));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  }
  bytes.resize(std::min(bytes.size(), most_bytes));
  return bytes;
}

void run(const Bytes& input) {
  running.input = &input;
  LLVMFuzzerTestOneInput(input.data(), input.size());
  running.input = nullptr;
}

} // namespace

int main(int count, char** words) {
  const Options options = read_options(count, words);
  options.kept.copy(running.kept, sizeof running.kept - 1);
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(number, keep_input);
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&count, &words);
  const std::vector<Bytes> files = files_of(options.places);
  for (const Bytes& input : files) run(input);
  Random random(options.seed);
  for (std::uint64_t i = 0; i < options.runs; ++i) run(made(files, options.most_bytes, random));
  std::printf("stat::number_of_executed_units: %zu\n", files.size() + static_cast<std::size_t>(options.runs));
}
