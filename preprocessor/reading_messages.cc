#include "preprocessor/reading_messages.h"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <sys/socket.h>
#include <unistd.h>

namespace andes::preprocessor {
namespace {

constexpr std::uint32_t most_bytes = 64u << 20; // of a message

bool receive_all(int socket, char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t got = recv(socket, bytes, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= std::size_t(got);
  }
  return true;
}

/// A message of one byte, beside which a connection is handed on.
struct Carrier {
  Carrier() {
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
  }
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  char byte = 0;
  iovec piece{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
};

} // namespace

bool send_message(int socket, const std::string& bytes) {
  const auto size = std::uint32_t(bytes.size());
  std::string all(reinterpret_cast<const char*>(&size), sizeof size);
  all += bytes;
  for (std::size_t at = 0; at < all.size();) {
    const ssize_t sent = send(socket, all.data() + at, all.size() - at, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += std::size_t(sent);
  }
  return true;
}

std::optional<std::string> receive_message(int socket) {
  std::uint32_t size = 0;
  if (!receive_all(socket, reinterpret_cast<char*>(&size), sizeof size) || size > most_bytes) return std::nullopt;
  std::string bytes(size, '\0');
  if (!receive_all(socket, bytes.data(), size)) return std::nullopt;
  return bytes;
}

bool send_connection(int channel, int connection) {
  Carrier carrier;
  cmsghdr* const head = CMSG_FIRSTHDR(&carrier.message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(head), &connection, sizeof connection);
  return sendmsg(channel, &carrier.message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

int receive_connection(int channel) {
  Carrier carrier;
  ssize_t got = 0;
  while ((got = recvmsg(channel, &carrier.message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
  const cmsghdr* const head = got == 1 ? CMSG_FIRSTHDR(&carrier.message) : nullptr;
  if (!head || head->cmsg_type != SCM_RIGHTS) return -1;
  int connection = -1;
  std::memcpy(&connection, CMSG_DATA(head), sizeof connection);
  return connection;
}

} // namespace andes::preprocessor
