// Contradictions in a request, each with its remedy.
#include "postproc/launch/request.h"

#include <algorithm>

#include "postproc/launch/message.h"
#include "postproc/launch/rank_list.h"

namespace andes {

void check_request(const Request& request) {
  if (request.command.empty())
    refuse(
        "run: no command; write it behind --: andes run --ranks 1,2,4 -- mpirun -n {{p}} ./a.out");
  const bool with_p = mentions_p(request.command);
  if (with_p && request.ranks.empty())
    refuse("run: {{p}} in the command but no --ranks; add for example --ranks 1,2,4");
  if (!with_p && !request.ranks.empty())
    refuse("run: --ranks but no {{p}} in the command; write it where the number of ranks belongs: "
           "mpirun -n {{p}} ./a.out");
  const std::size_t runs =
      std::max<std::size_t>(1, request.ranks.size()) * static_cast<std::size_t>(request.repeats);
  if (!request.output.empty() && runs > 1)
    refuse("{} {}: names one run file but there are {} runs; take it away: they go to a "
           "directory under runs",
           request.output_by, request.output, runs);
  if (!request.output.empty() && !request.label.empty())
    refuse("--label {}: is part of a directory's name, and {} names a file; leave one of them out",
           request.label, request.output_by);
}

} // namespace andes
