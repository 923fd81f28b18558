// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/run_control.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <system_error>

#include "app/cli/common/command.h"
#include "core/base/thread_name.h"
#include "core/events/stream/event_writer.h"

namespace millrace::cli {

namespace {

sigset_t interrupts() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

/// Waits until `descriptor` is readable; returns false if `wake` was signalled first.
bool readable(int descriptor, int wake) {
  std::array<pollfd, 2> waiting = {pollfd{descriptor, POLLIN, 0}, pollfd{wake, POLLIN, 0}};
  while (::poll(waiting.data(), waiting.size(), -1) < 0) {
  }
  return waiting[1].revents == 0;
}

/// Starts the loop of a watch. Without `wake` nothing could end it, so that no thread is started:
/// the limit of open files is reached, and the command will not get far.
std::thread startLoop(int wake, std::function<void()> loop) {
  return wake < 0 ? std::thread() : std::thread(std::move(loop));
}

void endLoop(int wake, std::thread& thread) {
  if (thread.joinable()) {
    const std::uint64_t one = 1;
    (void)!::write(wake, &one, sizeof one);
    thread.join();
  }
  if (wake >= 0) ::close(wake);
}

}  // namespace

void blockInterrupts() {
  const sigset_t set = interrupts();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool interruptPending() {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1;
}

InterruptWatch::InterruptWatch(std::function<void()> onFirst)
    : m_onFirst(std::move(onFirst)),
      m_wake(::eventfd(0, EFD_CLOEXEC)),
      m_thread(startLoop(m_wake, [this] { loop(); })) {}

InterruptWatch::~InterruptWatch() { endLoop(m_wake, m_thread); }

void InterruptWatch::loop() {
  setThreadName("signals");
  const sigset_t set = interrupts();
  const int descriptor = ::signalfd(-1, &set, SFD_CLOEXEC);
  bool first = true;
  std::array<pollfd, 3> waiting = {pollfd{descriptor, POLLIN, 0}, pollfd{m_wake, POLLIN, 0},
                                   pollfd{lostEventDescriptor(), POLLIN, 0}};
  while (true) {
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
    if (waiting[1].revents != 0) break;
    if (waiting[2].revents != 0) {
      waiting[2].fd = -1;
      m_onFirst();
    }
    signalfd_siginfo info{};
    if (waiting[0].revents == 0 || ::read(descriptor, &info, sizeof info) != sizeof info) continue;
    if (!first) ::_exit(kInterrupted);
    first = false;
    m_onFirst();
  }
  ::close(descriptor);
}

StuckWatch::StuckWatch() : m_wake(::eventfd(0, EFD_CLOEXEC)) {
  try {
    m_thread = startLoop(m_wake, [this] { loop(); });
  } catch (const std::system_error&) {
    // Without a thread, such a wait cannot be interrupted.
  }
}

StuckWatch::~StuckWatch() { endLoop(m_wake, m_thread); }

void StuckWatch::loop() const {
  setThreadName("stuck");
  constexpr int kLookEveryMs = 250;
  constexpr int kPatience = 10;
  pollfd waiting{m_wake, POLLIN, 0};
  int seen = 0;
  while (::poll(&waiting, 1, kLookEveryMs) <= 0) {
    seen = interruptPending() ? seen + 1 : 0;
    if (seen > kPatience) ::_exit(kInterrupted);
  }
}

RequestReader::RequestReader(Handlers handlers)
    : m_handlers(std::move(handlers)),
      m_wake(::eventfd(0, EFD_CLOEXEC)),
      m_thread(startLoop(m_wake, [this] { loop(); })) {}

RequestReader::~RequestReader() { endLoop(m_wake, m_thread); }

void RequestReader::handle(const std::string& line) {
  if (line.empty()) return;
  const Result<RunRequest> request = parseRequest(line);
  if (request)
    m_handlers.request(*request);
  else
    m_handlers.malformed(request.error().message);
}

void RequestReader::loop() {
  setThreadName("requests");
  constexpr std::size_t kLongestLine = 1U << 16U;
  std::string pending;
  std::array<char, 4096> chunk;
  while (readable(STDIN_FILENO, m_wake)) {
    const ssize_t count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count <= 0) break;
    pending.append(chunk.data(), static_cast<std::size_t>(count));
    for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
      handle(pending.substr(0, end));
      pending.erase(0, end + 1);
    }
    if (pending.size() <= kLongestLine) continue;
    m_handlers.malformed("a request must not be longer than 65 536 bytes");
    pending.clear();
  }
  struct stat status{};
  const bool isPipe =
      ::fstat(STDIN_FILENO, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
  std::array<pollfd, 1> rung = {pollfd{m_wake, POLLIN, 0}};
  if (isPipe && ::poll(rung.data(), 1, 0) == 0) m_handlers.ended();
}

}  // namespace millrace::cli
