// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// How a job ended.
struct NamedJobEnd {
  enum class Kind : std::uint8_t {
    Done,   ///< there is a result; it says whether the job failed or was stopped
    Input,  ///< the pipeline, its data or a setting is wrong: nothing was measured
    Failed  ///< the job could not begin or go on
  };
  Kind kind = Kind::Done;
  std::string result;  ///< the object of `--json`, on one line
  std::string error;   ///< all problems, one on each line
};

/// A job that is started by the name of its kind, with options and result as JSON
/// (docs/reference/jobs.md): for programs that need no C++ type of each job, as the C interface and
/// the Python package. `run` once, on one thread; `stop` from any thread, at any time.
class NamedJob {
 public:
  virtual ~NamedJob() = default;
  /// Blocks until the job has ended. Writes its event stream (docs/reference/event-stream.md) to
  /// this descriptor, on another thread; a reader must be there until `run` returns.
  virtual NamedJobEnd run(int events) = 0;
  /// Ends `run` early. What was measured is kept and is a result.
  virtual void stop() = 0;
};

/// A job of this kind. Reads nothing but the options. The error says what is wrong with them.
/// `program`: the `millrace` program, for jobs whose trials are separate processes; empty: such a
/// job is refused.
Result<std::unique_ptr<NamedJob>> makeNamedJob(std::string_view kind, std::string_view options,
                                               const std::string& program);
/// "run", "compare", ...
std::vector<std::string> namedJobKinds();

}  // namespace millrace
