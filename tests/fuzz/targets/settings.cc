// Settings: files of both lists in INFO format, the environment, --set and the options of a build. What
// is accepted must be a key of the list with a value that the list allows.
#include "tests/fuzz/targets/input.h"

#include "common/message.h"
#include "common/settings.h"
#include "preprocessor/options.h"

namespace {

using namespace andes;
using namespace andes::preprocessor;
using fuzz::Input;

void check(const Settings& read, const SettingList& list) {
  for (const auto& [key, value] : read) {
    const Setting* setting = find_setting(key, list);
    fuzz::require(setting, "a key of the list", key);
    check_value(key, *setting, value);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) try {
  static const fuzz::ScratchFile file("settings.info");
  Input input(bytes, size);
  const int what = input.ConsumeIntegralInRange(0, 5);
  const SettingList& list = what % 2 ? build_list : monitor_list;
  if (what < 2) {
    file.write(input.ConsumeRemainingBytesAsString());
    check(read_settings_file(file.path(), list), list);
    return 0;
  }
  const std::vector<std::string> words = fuzz::words_of_rest(input);
  if (what < 4) {
    std::vector<const char*> environment;
    for (const std::string& word : words) environment.push_back(word.c_str());
    environment.push_back(nullptr);
    check(read_settings_environment(environment.data(), list), list);
  } else if (what == 4) {
    check(read_settings_words(words), monitor_list);
  } else {
    const LeadingOptions options = read_leading_options(words);
    fuzz::require(options.words <= words.size(), "no more words than there are");
    const char* none = nullptr;
    read_options(options.said, &none);
  }
  return 0;
} catch (const andes::Refusal&) {
  return 0;
}
