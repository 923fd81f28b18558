// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/verdict/foreign_load.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <chrono>
#include <cmath>
#include <thread>

#include "core/base/random.h"

namespace millrace::bench {

namespace {

[[noreturn]] void disturb() {
  constexpr double kBusySeconds = 2;
  constexpr double kIdleSeconds = 8;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Draw draw(DrawKey{17, 0, 0, 0, 0});
  const auto spell = [&](double mean) {
    return std::chrono::duration<double>(-mean * std::log(1 - draw.unit()));
  };
  for (;;) {
    std::this_thread::sleep_for(spell(kIdleSeconds));
    const auto end = std::chrono::steady_clock::now() + spell(kBusySeconds);
    while (std::chrono::steady_clock::now() < end) {
    }
  }
}

}  // namespace

ForeignLoad::ForeignLoad() : m_process(fork()) {
  if (m_process == 0) disturb();
}

ForeignLoad::~ForeignLoad() {
  if (m_process <= 0) return;
  kill(m_process, SIGKILL);
  waitpid(m_process, nullptr, 0);
}

}  // namespace millrace::bench
