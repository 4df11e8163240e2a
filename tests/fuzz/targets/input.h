// What the targets share: libFuzzer's bytes as values, and a file to hand to readers that take a path.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <fuzzer/FuzzedDataProvider.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace andes::fuzz {

using Input = FuzzedDataProvider;

/// A file of this process, the same for all inputs; removed at the end.
class ScratchFile {
public:
  explicit ScratchFile(const std::string& name) {
    std::string pattern = (std::filesystem::temp_directory_path() / "andes-fuzz-XXXXXX").string();
    if (!mkdtemp(pattern.data())) std::abort();
    directory_ = pattern;
    path_ = directory_ + "/" + name;
  }
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  void write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  const std::string& path() const { return path_; }
  const std::string& directory() const { return directory_; }

private:
  std::string directory_, path_;
};

/// Ends the process, which libFuzzer reports with the input, unless `holds`.
inline void require(bool holds, const char* what, std::string_view of = {}) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n%s\n", what, std::string(of).c_str());
  std::abort();
}

/// The rest of the input as words, between newlines.
inline std::vector<std::string> words_of_rest(Input& input) {
  std::vector<std::string> words;
  const std::string text = input.ConsumeRemainingBytesAsString();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

} // namespace andes::fuzz
