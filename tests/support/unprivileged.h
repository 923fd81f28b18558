// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdlib>

namespace millrace::tests {

/// A user who may write none of our files, for the life of the object: root could write everything.
class Unprivileged {
 public:
  Unprivileged() : m_changed(geteuid() == 0 && seteuid(65534) == 0) {}
  ~Unprivileged() {
    if (m_changed && seteuid(0) != 0) std::abort();
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  bool m_changed;
};

}  // namespace millrace::tests
