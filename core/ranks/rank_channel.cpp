// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/rank_channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>

#include "core/events/stream/run_request.h"

namespace millrace {

namespace {

/// How long a stopped rank may take: while it opens its data it does not react to a stop.
constexpr double kStopSeconds = 30;

class ChildChannel final : public RankChannel {
 public:
  ChildChannel(std::vector<std::string> words,
               std::vector<std::pair<std::string, std::string>> variables, RankLines onLine)
      : m_process(std::move(words), {.stopSeconds = kStopSeconds}, std::move(onLine)) {
    m_process.setEnvironment(std::move(variables));
  }
  Result<TrialEnd> run() override { return m_process.run(); }
  void tell(std::string_view line) override { m_process.tell(line); }
  void stop() override { m_process.stop(); }

 private:
  TrialProcess m_process;
};

class SocketChannel final : public RankChannel {
 public:
  SocketChannel(RankSocket socket, RankLines onLine)
      : m_socket(std::move(socket)), m_onLine(std::move(onLine)) {}

  Result<TrialEnd> run() override {
    constexpr int kWaitMs = 50;
    using Steady = std::chrono::steady_clock;
    Steady::time_point asked = Steady::time_point::max();
    for (;;) {
      if (m_stopped && asked == Steady::time_point::max()) {
        tell(requestLine(RunRequest{}));
        asked = Steady::now();
      }
      if (m_stopped && Steady::now() - asked > std::chrono::duration<double>(kStopSeconds)) break;
      pollfd waiting{m_socket.get(), POLLIN, 0};
      if (::poll(&waiting, 1, kWaitMs) > 0 && !readSome()) break;
    }
    TrialEnd end;
    if (m_stopped) end.kind = TrialEnd::Kind::Stopped;
    end.errors = "its connection ended before it had reported a result";
    return end;
  }

  void tell(std::string_view line) override {
    const std::string text = std::string(line) + "\n";
    ::send(m_socket.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  void stop() override { m_stopped = true; }

 private:
  /// False at the end of the stream.
  bool readSome() {
    std::array<char, 65536> bytes{};
    const ssize_t got = ::read(m_socket.get(), bytes.data(), bytes.size());
    if (got <= 0) return got < 0 && errno == EINTR;
    m_unread.append(bytes.data(), static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = m_unread.find('\n', begin)) != std::string::npos;
         begin = end + 1)
      m_onLine(std::string_view(m_unread).substr(begin, end - begin));
    m_unread.erase(0, begin);
    return true;
  }

  const RankSocket m_socket;
  const RankLines m_onLine;
  std::string m_unread;  ///< the beginning of a line
  std::atomic<bool> m_stopped{false};
};

}  // namespace

std::unique_ptr<RankChannel> childChannel(
    std::vector<std::string> words, std::vector<std::pair<std::string, std::string>> variables,
    RankLines onLine) {
  return std::make_unique<ChildChannel>(std::move(words), std::move(variables), std::move(onLine));
}

std::unique_ptr<RankChannel> socketChannel(RankSocket socket, RankLines onLine) {
  return std::make_unique<SocketChannel>(std::move(socket), std::move(onLine));
}

}  // namespace millrace
