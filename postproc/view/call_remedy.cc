#include "postproc/view/call_remedy.h"

#include <algorithm>
#include <string_view>

namespace andes::postproc {
namespace {

/// What is said of calls whose names begin so; the first that fits counts.
struct Words {
  std::string_view beginning;
  const char* text;
};

constexpr const char *connect = "Connect once, and keep the connection.",
                     *start = "Start MPI once: that takes the longer the more ranks and nodes there are, whatever the "
                              "program does.",
                     *flush = "It waits until all buffered messages have been sent: flush or detach the buffer less "
                              "often.",
                     *communicator = "Make communicators once, and keep them.";

constexpr Words management[] = {
    {"MPI_Comm_spawn", "Start the processes once, in one call, and keep them."},
    {"MPI_Comm_accept", connect},
    {"MPI_Comm_connect", connect},
    {"MPI_Comm_join", connect},
    {"MPI_Comm_disconnect", connect},
    {"MPI_Lookup_name", connect},
    {"MPI_Publish_name", connect},
    {"MPI_Unpublish_name", connect},
    {"MPI_Buffer_", flush},
    {"MPI_Comm_detach_buffer", flush},
    {"MPI_Comm_flush_buffer", flush},
    {"MPI_Session_detach_buffer", flush},
    {"MPI_Session_flush_buffer", flush},
    {"MPI_Init", start},
    {"MPI_Session_", start},
    {"MPI_Finalize", start},
    {"MPI_Win_", "Make windows once, and keep them."},
    {"MPI_Comm_", communicator},
    {"MPI_Cart_", communicator},
    {"MPI_Graph_", communicator},
    {"MPI_Dist_graph_", communicator},
    {"MPI_Intercomm_", communicator},
    {"", "Call it less often."},
};

constexpr const char *open = "Open fewer files, or keep them open", *sync = "Flush files less often",
                     *shape = "Change sizes, views and properties of files less often";

constexpr Words files[] = {
    {"MPI_File_open", open},   {"MPI_File_close", open},
    {"MPI_File_delete", open}, {"open", open},
    {"creat", open},           {"close", open},
    {"fopen", open},           {"fclose", open},
    {"MPI_File_sync", sync},   {"fsync", sync},
    {"fdatasync", sync},       {"fflush", sync},
    {"MPI_File_set_", shape},  {"MPI_File_preall", shape},
    {"MPI_File_get_", shape},  {"MPI_File_seek", shape},
};

const Words* words_of(const auto& all, const std::string& name) {
  const auto fits = [&](const Words& words) { return name.starts_with(words.beginning); };
  const auto found = std::ranges::find_if(all, fits);
  return found == std::end(all) ? nullptr : &*found;
}

} // namespace

CallRemedy remedy_of_call(const std::string& name, const std::string& kind) {
  if (kind == "management") return {"Set up less", words_of(management, name)->text};
  return {"Communicate less", kind == "send" || kind == "receive" ? "Send fewer, larger messages, or compute meanwhile."
                              : kind == "synchronisation"
                                  ? "Call it less often."
                                  : "Call it less often, with less data, or compute meanwhile."};
}

std::string advice_of_io(const std::string& name, bool reads) {
  if (const Words* words = words_of(files, name)) return words->text;
  return std::string(reads ? "Read" : "Write") + " less, or in larger and collective calls";
}

} // namespace andes::postproc
