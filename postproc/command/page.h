// --html FILE: the result of a command as one page of HTML, which holds the JSON documents of the commands and needs
// nothing else (docs/page.md).
#pragma once
#include <string>
#include <vector>

#include "postproc/command/subcommand.h"
#include "postproc/view/diff_view.h"
#include "postproc/view/formats.h"
#include "postproc/view/history_view.h"

namespace andes::postproc {

struct PageOptions {
  std::string file; // empty: no page is asked for
  bool sources = false;
};

void add_page_options(const Subcommand& command, PageOptions& options);

/// Throws Refusal if `format` asks for something else, too.
void require_one_result(const PageOptions& options, const std::string& format);

/// The page of a report, with the call trees of the run with the median time of each size.
std::string report_page(const Reports& results, bool sources);

/// The page of single runs: each with its report, its call tree and its waits.
std::string runs_page(const std::vector<std::string>& files, bool sources);

/// The page of a comparison, with the call trees of both builds at the size that is compared.
std::string diff_page(const Diff& diff, const Build& before, const Build& after, const CommonSize& size, bool sources);

/// The page of the runs of many commits.
std::string history_page(const Histories& histories);

/// A page that is served: it asks its server whether the runs are still the same.
std::string followed(std::string page);

/// Writes it whole or not at all. Throws Refusal if that fails.
void write_page(const PageOptions& options, const std::string& page);

} // namespace andes::postproc
