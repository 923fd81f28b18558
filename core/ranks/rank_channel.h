// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/ranks/rank_socket.h"
#include "core/tune/trial_process.h"

namespace millrace {

/// How rank 0's program reaches a rank: a child process, or a process that a launcher started.
/// `run` once, on one thread; `stop` and `tell` from any.
class RankChannel {
 public:
  RankChannel() = default;
  RankChannel(const RankChannel&) = delete;
  RankChannel& operator=(const RankChannel&) = delete;
  virtual ~RankChannel() = default;

  /// Blocks until the rank has ended. An error if it could not be started.
  virtual Result<TrialEnd> run() = 0;
  /// Writes a line to the rank's standard input without waiting.
  virtual void tell(std::string_view line) = 0;
  /// Asks the rank to report what it has measured and to end. Also before `run`.
  virtual void stop() = 0;
};

/// Each line that a rank writes, without its newline, on the thread of `run`.
using RankLines = std::function<void(std::string_view)>;

/// `words`: path of an executable, then its arguments. `variables` are added to the environment.
std::unique_ptr<RankChannel> childChannel(
    std::vector<std::string> words, std::vector<std::pair<std::string, std::string>> variables,
    RankLines onLine);
/// A rank whose standard input and output are the other end of this socket.
std::unique_ptr<RankChannel> socketChannel(RankSocket socket, RankLines onLine);

}  // namespace millrace
