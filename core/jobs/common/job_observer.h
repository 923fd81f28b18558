// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/spec/problem.h"

namespace millrace {

/// What any job reports besides its figures. Notified on the thread that runs the job.
class JobObserver {
 public:
  virtual ~JobObserver() = default;
  /// Something that the user should know now. The job goes on.
  virtual void onWarning(const Problem&) {}
  /// Something is not kept in the store, as a sentence without a full stop: "this run is not kept:
  /// no space left on device". The job goes on.
  virtual void onNotKept(const std::string& /*sentence*/) {}
};

}  // namespace millrace
