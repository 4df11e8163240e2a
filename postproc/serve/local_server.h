// A web server for one user of this machine: it listens on 127.0.0.1 alone, and answers those who know its token
// (decision 269).
//
// Invariants:
//  - nothing is read from the disk by a path of a request: a request names one of the answers that its owner has;
//  - a request without the token, for another host name (DNS rebinding), or by a page of another origin gets nothing;
//  - pages of others can neither frame nor read what it sends.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace andes::postproc {

struct Answer {
  std::string type; // of the content, as text/html
  std::string body;
};

/// What there is under a name: the empty one is the page itself.
using Answers = std::function<std::optional<Answer>(const std::string& name)>;

class LocalServer {
public:
  /// `port` 0: any that is free. Throws Refusal if it cannot be had.
  explicit LocalServer(int port);
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  /// Where its page is, with the token.
  std::string url() const;
  /// Until SIGINT or SIGTERM: those that arrived since it was made, too.
  void run(const Answers& answers);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace andes::postproc
