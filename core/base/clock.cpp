// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/clock.h"

namespace millrace {

namespace {

class RealClock final : public Clock {
 public:
  SteadyTime now() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace

const Clock& steadyClock() {
  static const RealClock clock;
  return clock;
}

}  // namespace millrace
