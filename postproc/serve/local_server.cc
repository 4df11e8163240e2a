// One thread serves all: an answer is made in milliseconds, or for everybody anew. Whoever is slow to ask is cut off.
#include "postproc/serve/local_server.h"

#include <array>
#include <chrono>
#include <string_view>
#include <utility> // which Boost 1.74 needs and does not include

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/random.h>

#include "common/refusal.h"

namespace andes::postproc {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

constexpr auto patience = std::chrono::seconds(10); // for a request, and for its answer to be taken
constexpr std::uint32_t longest_header = 16 * 1024;

std::string random_token() {
  std::array<unsigned char, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    refuse("view", fmt::format("no random numbers ({})", std::strerror(errno)), "use --html FILE");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

/// In a time that does not tell how much of it is right.
bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different |= static_cast<unsigned char>(a[i] ^ b[i]);
  return different == 0;
}

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

} // namespace

struct LocalServer::State {
  asio::io_context context{1};
  asio::signal_set signals{context, SIGINT, SIGTERM}; // kept from here on: whoever read the address may end it
  tcp::acceptor acceptor{context};
  std::string token = random_token();

  std::string authority(const char* host) const { return fmt::format("{}:{}", host, acceptor.local_endpoint().port()); }

  /// Whether the request names this server as its user does: another name may lead here by the DNS of somebody else.
  bool is_own_name(std::string_view name) const {
    return name == authority("127.0.0.1") || name == authority("localhost");
  }

  /// Whether a page of another origin asked. To follow a link to the page itself is allowed: others cannot read it.
  bool is_foreign(const Request& request) const {
    if (const auto origin = request.find(http::field::origin); origin != request.end()) {
      const std::string_view text = view(origin->value());
      constexpr std::string_view scheme = "http://";
      if (!text.starts_with(scheme) || !is_own_name(text.substr(scheme.size()))) return true;
    }
    const std::string_view site = view(request["Sec-Fetch-Site"]);
    if (site.empty() || site == "same-origin" || site == "none") return false;
    return view(request["Sec-Fetch-Mode"]) != "navigate" || view(request["Sec-Fetch-Dest"]) != "document";
  }

  Response response_to(const Request& request, const Answers& answers) const {
    const auto reply = [&](http::status status, const std::string& type, std::string body) {
      Response response{status, 11};
      response.set(http::field::content_type, type + "; charset=utf-8");
      response.set(http::field::cache_control, "no-store");
      response.set("X-Content-Type-Options", "nosniff");
      response.set("Content-Security-Policy", "frame-ancestors 'none'");
      response.set("Cross-Origin-Opener-Policy", "same-origin");
      response.set("Cross-Origin-Resource-Policy", "same-origin");
      response.set("Referrer-Policy", "no-referrer");
      response.keep_alive(false);
      response.body() = std::move(body);
      response.prepare_payload();
      return response;
    };
    const auto refused = [&](http::status status) { return reply(status, "text/plain", "andes: nothing here\n"); };
    if (!is_own_name(view(request[http::field::host])) || is_foreign(request)) return refused(http::status::forbidden);
    const std::string_view target = view(request.target());
    if (target.size() < token.size() + 2 || target[0] != '/' || target[token.size() + 1] != '/' ||
        !is_same(target.substr(1, token.size()), token))
      return refused(http::status::not_found);
    if (request.method() != http::verb::get) return refused(http::status::method_not_allowed);
    const std::optional<Answer> answer = answers(std::string(target.substr(token.size() + 2)));
    if (!answer) return refused(http::status::not_found);
    return reply(http::status::ok, answer->type, answer->body);
  }

  asio::awaitable<void> talk(tcp::socket socket, const Answers& answers) {
    beast::tcp_stream stream(std::move(socket));
    beast::flat_buffer buffer;
    http::request_parser<http::empty_body> parser;
    parser.header_limit(longest_header);
    parser.body_limit(0);
    try {
      stream.expires_after(patience);
      co_await http::async_read(stream, buffer, parser, asio::use_awaitable);
      Response response = response_to(parser.get(), answers);
      stream.expires_after(patience);
      co_await http::async_write(stream, response, asio::use_awaitable);
      beast::error_code ignored; // the other side may be gone
      stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
    } catch (const boost::system::system_error&) { // it asked for nothing, or did not wait for it
    }
  }

  asio::awaitable<void> listen(const Answers& answers) {
    while (true) {
      tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
      asio::co_spawn(context, talk(std::move(socket), answers), asio::detached);
    }
  }
};

LocalServer::LocalServer(int port) : state_(std::make_unique<State>()) {
  const tcp::endpoint here(asio::ip::address_v4::loopback(), static_cast<unsigned short>(port));
  beast::error_code error;
  state_->acceptor.open(here.protocol(), error);
  if (!error) state_->acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) state_->acceptor.bind(here, error);
  if (!error) state_->acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) refuse(fmt::format("port {}", port), error.message(), "give another --port, or none");
}

LocalServer::~LocalServer() = default;

std::string LocalServer::url() const {
  return fmt::format("http://{}/{}/", state_->authority("127.0.0.1"), state_->token);
}

void LocalServer::run(const Answers& answers) {
  state_->signals.async_wait([this](const beast::error_code&, int) { state_->context.stop(); });
  asio::co_spawn(state_->context, state_->listen(answers), asio::detached);
  state_->context.run();
}

} // namespace andes::postproc
