// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/remote/served.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <string_view>
#include <utility>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/pipeline_input.h"
#include "app/cli/common/program_words.h"
#include "app/cli/common/terminal.h"
#include "core/base/thread_name.h"
#include "core/remote/remote_words.h"

namespace millrace::cli {

namespace {

constexpr int kSilenceMs = static_cast<int>(std::chrono::milliseconds(kRemoteSilenceLimit).count());
/// How long a command may take to end after SIGTERM, and after a second one.
constexpr int kEndMs = 10'000;
constexpr int kLastMs = 5'000;

/// Reads some bytes; false at the end, after an error, or after the silence limit.
bool readSome(std::string& text) {
  std::array<char, 65536> chunk{};
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  if (::poll(&waiting, 1, kSilenceMs) == 0) return false;
  const ssize_t count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
  if (count > 0) text.append(chunk.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

Result<RemoteRequest> readRequest(std::string& received) {
  while (true) {
    MILLRACE_ASSIGN_OR_RETURN(auto request, takeRequest(received));
    if (request) return std::move(*request);
    if (!readSome(received)) return Error{"standard input ended before a request had come"};
  }
}

}  // namespace

bool isServed(int argc, char** argv) { return argc == 2 && argv[1] == kRemoteCommand; }

Result<std::unique_ptr<Served>> Served::begin() {
  // At once and whole, so that nothing comes between its bytes.
  const std::string greeting = greetingLine();
  (void)!::write(STDOUT_FILENO, greeting.data(), greeting.size());
  std::string received;
  MILLRACE_ASSIGN_OR_RETURN(auto request, readRequest(received));
  setColours(request.colours ? Colours::Always : Colours::Never);
  setTerminalColumns(request.columns);
  setProgramWords(std::move(request.program));
  setDocuments(std::move(request.documents));
  return std::unique_ptr<Served>(new Served(std::move(request.words), std::move(received)));
}

Served::Served(std::vector<std::string> words, std::string rest)
    : m_words(std::move(words)),
      m_rest(std::move(rest)),
      m_outer(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
      m_wake(::eventfd(0, EFD_CLOEXEC)) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
    m_inner = ends[1];
    // A command that reads no requests must not block the watch.
    ::fcntl(m_inner, F_SETFL, ::fcntl(m_inner, F_GETFL) | O_NONBLOCK);
  }
  m_thread = std::thread([this] { loop(); });
}

Served::~Served() {
  const std::uint64_t one = 1;
  (void)!::write(m_wake, &one, sizeof one);
  m_thread.join();
  for (const int descriptor : {m_outer, m_inner, m_wake})
    if (descriptor >= 0) ::close(descriptor);
}

void Served::loop() {
  setThreadName("connection");
  std::array<char, 4096> chunk{};
  (void)!::write(m_inner, m_rest.data(), m_rest.size());
  while (true) {
    std::array<pollfd, 2> waiting{pollfd{m_outer, POLLIN, 0}, pollfd{m_wake, POLLIN, 0}};
    const int ready = ::poll(waiting.data(), waiting.size(), kSilenceMs);
    if (ready < 0) continue;
    if (waiting[1].revents != 0) return;
    const ssize_t count = ready == 0 ? 0 : ::read(m_outer, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return endProgram();
    (void)!::write(m_inner, chunk.data(), static_cast<std::size_t>(count));
  }
}

/// Whether the command has ended within that time.
bool Served::ended(int limitMs) const {
  pollfd waiting{m_wake, POLLIN, 0};
  return ::poll(&waiting, 1, limitMs) > 0;
}

void Served::endProgram() const {
  for (const int patience : {kEndMs, kLastMs}) {
    ::kill(::getpid(), SIGTERM);
    if (ended(patience)) return;
  }
  ::_exit(kInterrupted);
}

}  // namespace millrace::cli
