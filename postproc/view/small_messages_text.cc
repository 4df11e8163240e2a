#include "postproc/view/small_messages_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/view/diagnosis_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc {

std::string small_messages_sentence(const SmallMessages& one) {
  return fmt::format(
      "{} messages of less than {:.0f} B in {}{}: {} % of the communication, {} to each destination in a "
      "visit. Gather those that are known at the same time into one: T shrinks by {} at most.",
      count_text(one.messages), one.below, joined_path(one.path), place_text(one.path, one.place),
      fixed(one.communication_percent, 0), count_text(one.per_destination), time_text(one.gain.high_s));
}

std::string small_messages_text(const Terminal& terminal, const std::vector<SmallMessages>& all, int indent) {
  constexpr std::size_t most = 3;
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string text;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
    text += '\n' + wrapped("Small messages: " + small_messages_sentence(all[i]), terminal.width, margin, margin);
  if (all.size() > most) text += margin + fmt::format("and {} more (--json lists them)\n", all.size() - most);
  return text;
}

} // namespace andes::postproc
