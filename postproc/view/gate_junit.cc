// JUnit's XML as CI servers read it (https://github.com/jenkinsci/xunit-plugin, junit-10.xsd).
#include <fmt/format.h>
#include <numeric>

#include "common/printable.h"
#include "postproc/view/gate_view.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

/// Names come from programs and the system: as printable text, without what XML takes for its own.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : printable(text)) switch (c) {
    case '&': result += "&amp;"; break;
    case '<': result += "&lt;"; break;
    case '>': result += "&gt;"; break;
    case '"': result += "&quot;"; break;
    case '\n': result += "&#10;"; break;
    default: result += c;
    }
  return result;
}

double seconds_of(const GatedSize& size) {
  return std::accumulate(size.pairs.begin(), size.pairs.end(), 0.0,
                         [](double sum, const GatePair& pair) { return sum + pair.base_s + pair.new_s; });
}

std::string all_remarks(const Gate& gate, const GatedSize& size) {
  std::string text = verdict_sentence(gate, size) + '\n';
  if (const std::string cause = cause_sentence(size); !cause.empty()) text += cause + '\n';
  for (const std::string& sentence : remarks(gate, size)) text += sentence + '\n';
  return text;
}

/// Text between tags, which may have line breaks as they are.
std::string lines(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += escaped(text.substr(begin, end - begin)) + '\n';
    begin = end + 1;
  }
  return result;
}

std::string test_case(const Gate& gate, const GatedSize& size) {
  std::string text = fmt::format("    <testcase classname=\"andes.gate.{}\" name=\"{}\" time=\"{:.3f}\">\n",
                                 escaped(gate.program), escaped(size_words(size)), seconds_of(size));
  if (size.verdict == GateVerdict::regression) {
    const std::string cause = cause_sentence(size);
    text += fmt::format("      <failure type=\"regression\" message=\"{}\">{}</failure>\n",
                        escaped("T " + change_words(size.judgement.log_change) + (cause.empty() ? "" : ": " + cause)),
                        lines(all_remarks(gate, size)));
  } else {
    if (size.verdict == GateVerdict::undecided)
      text += fmt::format("      <skipped message=\"undecided: T {}\"/>\n",
                          escaped(change_words(size.judgement.log_change)));
    text += fmt::format("      <system-out>{}</system-out>\n", lines(all_remarks(gate, size)));
  }
  return text + "    </testcase>\n";
}

} // namespace

std::string gate_junit(const Gate& gate) {
  std::string cases;
  std::size_t failures = 0, skipped = 0;
  double seconds = 0;
  for (const GatedSize& size : gate.sizes) {
    cases += test_case(gate, size);
    failures += size.verdict == GateVerdict::regression;
    skipped += size.verdict == GateVerdict::undecided;
    seconds += seconds_of(size);
  }
  if (!gate.trouble.empty())
    cases +=
        fmt::format("    <testcase classname=\"andes.gate.{}\" name=\"runs\" time=\"0\">\n      <error type=\"run\" "
                    "message=\"{}\"/>\n    </testcase>\n",
                    escaped(gate.program), escaped(gate.trouble));
  const std::size_t errors = gate.trouble.empty() ? 0 : 1, tests = gate.sizes.size() + errors;
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", tests, failures, errors);
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite name=\"andes gate of "
                     "{1}\" {0} skipped=\"{2}\" time=\"{3:.3f}\">\n{4}  </testsuite>\n</testsuites>\n",
                     counts, escaped(gate.program), skipped, seconds, cases);
}

} // namespace andes::postproc
