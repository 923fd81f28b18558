// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/search/process_trial.h"
#include "core/jobs/sweep/sweep_request.h"

namespace millrace {

/// The rules of a trial, which is one repeat; `program` is for the caller to fill in. The error is
/// a sentence that begins with the wrong setting.
Result<TrialRules> rulesOf(const SweepRequest& request);

}  // namespace millrace
