// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "app/cli/common/command.h"
#include "app/cli/run/run_control.h"

namespace millrace::cli {

namespace {

/// SIGINT and SIGTERM are blocked, so they do not end a wait: it looks for them this often.
constexpr int kLookEveryMs = 50;

void waitUntilReadable(int descriptor) {
  pollfd waiting{descriptor, POLLIN, 0};
  while (::poll(&waiting, 1, kLookEveryMs) <= 0)
    if (interruptPending()) std::_Exit(kInterrupted);
}

std::string textFrom(int descriptor, std::size_t most) {
  std::string text;
  std::array<char, 65536> chunk{};
  while (text.size() <= most) {
    waitUntilReadable(descriptor);
    const ssize_t count = ::read(descriptor, chunk.data(), chunk.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
  if (text.size() > most) text.resize(most + 1);
  return text;
}

}  // namespace

std::string standardInput(std::size_t most) { return textFrom(STDIN_FILENO, most); }

bool isStream(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

std::optional<std::string> streamText(const std::string& path, std::size_t most) {
  // Without O_NONBLOCK, opening a FIFO waits for its writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  std::string text = textFrom(descriptor, most);
  ::close(descriptor);
  return text;
}

}  // namespace millrace::cli
