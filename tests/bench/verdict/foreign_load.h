// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace millrace::bench {

/// Another process that uses a core intermittently: busy for 2 s and idle for 8 s on average, both
/// drawn from exponential distributions. It ends with the object, and with this process however
/// that ends.
class ForeignLoad {
 public:
  ForeignLoad();
  ~ForeignLoad();
  ForeignLoad(const ForeignLoad&) = delete;
  ForeignLoad& operator=(const ForeignLoad&) = delete;

 private:
  pid_t m_process;
};

}  // namespace millrace::bench
