// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/formats/io/unique_fd.h"
#include "core/own_python/python_function.h"

namespace millrace {

/// A Python process that has imported the user's file and forks those that call its function
/// (resources/own_python/server.py). It and they end when the last owner is gone, or when this
/// process ends in any way. Thread-safe.
class PythonProgram {
 public:
  /// Starts the interpreter and waits until the file is imported. A program that has an owner is
  /// returned again for the same function and an unchanged file; that of the last call is kept.
  static Result<std::shared_ptr<PythonProgram>> of(const PythonFunction& function);
  ~PythonProgram();

  /// A process with its own connection and memory.
  Result<pid_t> fork(int connection, int memory) MILLRACE_EXCLUDES(m_mutex);
  /// How a process ended that has closed its connection: "it crashed: signal 11 (...)".
  std::string howEnded(pid_t process) MILLRACE_EXCLUDES(m_mutex);
  const PythonFunction& function() const { return m_function; }
  /// The number of samples of a dataset.
  std::int64_t samples() const { return m_samples; }

 private:
  explicit PythonProgram(PythonFunction function) : m_function(std::move(function)) {}
  Status start();
  Status awaitImport();
  /// Sends a packet, with descriptors, and returns the answer.
  Result<std::string> ask(const std::string& packet, std::initializer_list<int> descriptors)
      MILLRACE_REQUIRES(m_mutex);
  Result<std::string> hear(double seconds) const;

  const PythonFunction m_function;
  Mutex m_mutex;
  UniqueFd m_control;
  pid_t m_process = -1;
  std::int64_t m_samples = 0;  ///< constant after start
};

}  // namespace millrace
