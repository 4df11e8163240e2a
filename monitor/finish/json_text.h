// Texts as JSON, for facts that are lists: a few lines instead of a library inside the users' processes.
#pragma once
#include <cstdio>
#include <string>
#include <vector>

namespace andes::monitor {

inline std::string json_text(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    char code[8];
    if (c == '"' || c == '\\') json += '\\', json += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c)), json += code;
    else json += c;
  }
  return json += '"';
}

inline std::string json_list(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts) {
    if (json.size() > 1) json += ',';
    json += json_text(text);
  }
  return json += ']';
}

} // namespace andes::monitor
