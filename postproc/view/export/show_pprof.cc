// The profile.proto of pprof, in gzip (https://github.com/google/pprof/blob/main/proto/README.md): a sample for each
// call path with its visits and its own time, summed over the ranks.
#include <fmt/format.h>
#include <zlib.h>

#include "common/refusal.h"
#include "postproc/view/export/call_paths.h"
#include "postproc/view/export/export.h"
#include "postproc/view/export/protobuf.h"

namespace andes::postproc {
namespace {

// Numbers of fields in profile.proto.
namespace field {
enum Profile : unsigned {
  sample_type = 1,
  sample = 2,
  mapping = 3,
  location = 4,
  function = 5,
  string_table = 6,
  duration_nanos = 10,
  comment = 13,
  default_sample_type = 14
};
} // namespace field

/// Texts by their place in the table, of which the first is empty.
class Texts {
public:
  Texts() { place_of(""); }
  std::int64_t place_of(const std::string& text) {
    const auto [place, is_new] = places_.emplace(text, places_.size());
    if (is_new) texts_.push_back(text);
    return static_cast<std::int64_t>(place->second);
  }
  const std::vector<std::string>& all() const { return texts_; }

private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> texts_;
};

ProtobufMessage value_type(Texts& texts, const char* type, const char* unit) {
  ProtobufMessage message;
  message.number(1, texts.place_of(type));
  message.number(2, texts.place_of(unit));
  return message;
}

/// Function and location of a region, which have its number.
void add_region(ProtobufMessage& profile, Texts& texts, std::int64_t id, const TreeRow& row) {
  ProtobufMessage function, line, location;
  function.number(1, id);
  function.number(2, texts.place_of(row.name));
  function.number(3, texts.place_of(row.name));
  function.number(4, texts.place_of(row.file));
  function.number(5, row.line);
  profile.message(field::function, function);
  line.number(1, id);
  line.number(2, row.line);
  location.number(1, id);
  location.number(2, 1);
  location.message(4, line);
  profile.message(field::location, location);
}

std::string in_gzip(const std::string& bytes) {
  z_stream stream = {};
  constexpr int largest_window = 15, gzip = 16, usual_memory = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, largest_window + gzip, usual_memory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    refuse("--format pprof", "no memory to compress it", "free some");
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int end = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (end != Z_STREAM_END) refuse("--format pprof", "it cannot be compressed", "choose another format");
  return packed;
}

std::string pprof(const Terminal&, const ShownRun& run) {
  require_call_paths(run, "pprof");
  const std::vector<TreeRow>& rows = run.tree.rows;
  Texts texts;
  ProtobufMessage profile, mapping;
  profile.message(field::sample_type, value_type(texts, "visits", "count"));
  profile.message(field::sample_type, value_type(texts, "time", "nanoseconds"));
  mapping.number(1, 1);
  mapping.number(5, texts.place_of(fact_text(run.profile, "executable", fact_text(run.profile, "program"))));
  for (const unsigned known : {7u, 8u, 9u}) mapping.number(known, 1); // has_functions, has_filenames, has_line_numbers
  profile.message(field::mapping, mapping);
  std::map<int, std::int64_t> ids; // by region
  std::vector<std::vector<std::int64_t>> stacks(rows.size()); // callers first
  for (const std::size_t row : rows_in_order(run.tree)) {
    const int region = run.profile.callpaths[static_cast<std::size_t>(rows[row].id)].region;
    const auto [id, is_new] = ids.emplace(region, static_cast<std::int64_t>(ids.size()) + 1);
    if (is_new) add_region(profile, texts, id->second, rows[row]);
    stacks[row].push_back(id->second);
    for (const std::size_t child : rows[row].children) stacks[child] = stacks[row];
    ProtobufMessage sample;
    sample.numbers(1, {stacks[row].rbegin(), stacks[row].rend()});
    sample.numbers(2, {whole_ns(rows[row].visits * 1e-9), whole_ns(rows[row].exclusive_s)});
    profile.message(field::sample, sample);
    stacks[row] = {};
  }
  profile.number(field::duration_nanos, whole_ns(run.profile.wall_s));
  profile.number(field::default_sample_type, texts.place_of("time"));
  profile.numbers(field::comment, {texts.place_of(command_line(run.profile))});
  for (const std::string& text : texts.all()) profile.text(field::string_table, text);
  return in_gzip(profile.bytes());
}

} // namespace

const Export show_pprof = Format<ShownRun>{{"pprof", "Print the profile that pprof reads, compressed", true}, pprof};

} // namespace andes::postproc
