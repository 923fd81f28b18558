// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/formats/io/unique_fd.h"
#include "core/own_python/call_memory.h"
#include "core/own_python/python_program.h"

namespace millrace {

/// A process that calls the user's function. It is forked at the first call; after a crash or a
/// hang, the next call gets a new one. For use by one thread.
class PythonWorker {
 public:
  explicit PythonWorker(std::shared_ptr<PythonProgram> program);
  ~PythonWorker();
  PythonWorker(const PythonWorker&) = delete;
  PythonWorker& operator=(const PythonWorker&) = delete;

  /// The results, one for each of PythonFunction::results, valid until the next call. `wanted` is
  /// asked about ten times a second; false ends the call and the process. Without a seed all draws
  /// are centred, for this and every later call of the process. The error is a sentence
  /// about this call.
  Result<std::vector<TensorView>> call(std::span<const TensorView> values,
                                       std::optional<std::uint64_t> seed,
                                       const std::function<bool()>& wanted);
  /// Processes that had to be replaced.
  std::uint64_t replaced() const { return m_replaced; }

 private:
  struct Process;

  Status begin();
  /// Waits for the reply. The error says why there is none, and then the process is gone.
  Status await(const std::function<bool()>& wanted);
  Error gone(bool kill, const std::string& why);

  const std::shared_ptr<PythonProgram> m_program;
  std::unique_ptr<Process> m_process;
  std::uint64_t m_replaced = 0;
};

}  // namespace millrace
