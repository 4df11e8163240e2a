#include "postproc/view/call_remedy.h"

#include <algorithm>
#include <string_view>

namespace andes::postproc {
namespace {

/// What is said of calls whose names begin so; the first that fits counts.
struct Words {
  std::string_view beginning;
  const char* text;
  const char* advice = "Set up less"; // of calls of MPI
};

constexpr const char *connect_words = "Connect once, and keep the connection.",
                     *session_words = "Open a session once, and keep it.",
                     *flush_words = "It waits until all buffered messages have been sent: flush or detach the buffer "
                                    "less often.",
                     *communicator_words = "Make communicators once, and keep them.",
                     *window_words = "Make windows once, and keep them.",
                     *start_words = "This takes longer with more ranks and nodes, and the program cannot shorten it: "
                                    "use fewer ranks, or longer runs.",
                     *start_advice = "Spend less on starting and ending MPI";

/// "Once" only of what makes or frees something. Error handlers, for example, belong to communicators and windows, too.
constexpr Words management_words[] = {
    {"MPI_Comm_spawn", "Start the processes once, in one call, and keep them."},
    {"MPI_Comm_accept", connect_words},
    {"MPI_Comm_connect", connect_words},
    {"MPI_Comm_join", connect_words},
    {"MPI_Comm_disconnect", connect_words},
    {"MPI_Lookup_name", connect_words},
    {"MPI_Publish_name", connect_words},
    {"MPI_Unpublish_name", connect_words},
    {"MPI_Buffer_", flush_words},
    {"MPI_Comm_detach_buffer", flush_words},
    {"MPI_Comm_flush_buffer", flush_words},
    {"MPI_Comm_iflush_buffer", flush_words},
    {"MPI_Session_detach_buffer", flush_words},
    {"MPI_Session_flush_buffer", flush_words},
    {"MPI_Session_iflush_buffer", flush_words},
    {"MPI_Init", start_words, start_advice},
    {"MPI_Finalize", start_words, start_advice},
    {"MPI_Session_init", session_words},
    {"MPI_Session_finalize", session_words},
    {"MPI_Win_create", window_words},
    {"MPI_Win_allocate", window_words},
    {"MPI_Win_free", window_words},
    {"MPI_Comm_create", communicator_words},
    {"MPI_Comm_dup", communicator_words},
    {"MPI_Comm_idup", communicator_words},
    {"MPI_Comm_split", communicator_words},
    {"MPI_Comm_free", communicator_words},
    {"MPIX_Comm_shrink", communicator_words},
    {"MPI_Cart_", communicator_words},
    {"MPI_Graph_", communicator_words},
    {"MPI_Dist_graph_", communicator_words},
    {"MPI_Intercomm_", communicator_words},
    {"", "Call it less often."},
};

constexpr const char *open_words = "Open fewer files, or keep them open", *sync_words = "Flush files less often",
                     *shape_words = "Change sizes, views and properties of files less often",
                     *write_words = "Write less, or in larger and collective calls",
                     *read_words = "Read less, or in larger and collective calls";

constexpr Words file_words[] = {
    {"MPI_File_open", open_words},
    {"MPI_File_delete", open_words},
    {"open", open_words},
    {"creat", open_words},
    {"fopen", open_words},
    {"MPI_File_sync", sync_words},
    {"fsync", sync_words},
    {"fdatasync", sync_words},
    {"fflush", sync_words},
    {"MPI_File_set_", shape_words},
    {"MPI_File_preall", shape_words},
    {"MPI_File_get_", shape_words},
    {"MPI_File_seek", shape_words},
};

/// Closing a file takes long as what is buffered is written then.
constexpr Words close_words[] = {{"MPI_File_close", write_words}, {"close", write_words}, {"fclose", write_words}};

const Words* words_of(const auto& all, const std::string& name) {
  const auto fits = [&](const Words& words) { return name.starts_with(words.beginning); };
  const auto found = std::ranges::find_if(all, fits);
  return found == std::end(all) ? nullptr : &*found;
}

} // namespace

CallRemedy remedy_of_call(const std::string& name, const std::string& kind) {
  if (kind == "management") {
    const Words& words = *words_of(management_words, name);
    return {words.advice, words.text};
  }
  return {"Communicate less", kind == "send" || kind == "receive" ? "Send fewer, larger messages, or compute meanwhile."
                              : kind == "synchronisation"
                                  ? "Call it less often."
                                  : "Call it less often, with less data, or compute meanwhile."};
}

std::string advice_of_io(const std::string& name, double read_bytes, double written_bytes) {
  if (const Words* words = words_of(file_words, name)) return words->text;
  if (const Words* words = words_of(close_words, name)) return written_bytes > 0 ? words->text : open_words;
  return read_bytes > written_bytes ? read_words : write_words;
}

} // namespace andes::postproc
