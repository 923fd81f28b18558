// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/inherited_text.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace millrace {

namespace {

Error noMemoryFile(const char* what) {
  return Error{
      fmt::format("could not pass a text to a child process: {}: {}", what, std::strerror(errno))};
}

}  // namespace

Result<InheritedText> InheritedText::make(std::string_view text) {
  const int descriptor = ::memfd_create("millrace-text", 0);
  if (descriptor < 0) return noMemoryFile("memfd_create");
  InheritedText inherited(descriptor);
  while (!text.empty()) {
    const ssize_t wrote = ::write(descriptor, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return noMemoryFile("write");
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return inherited;
}

InheritedText::InheritedText(InheritedText&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

InheritedText::~InheritedText() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

std::string InheritedText::path() const { return fmt::format("/proc/self/fd/{}", m_descriptor); }

}  // namespace millrace
