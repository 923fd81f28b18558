// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace::cli {

/// Answers the preview requests of standard input until it ends: for each its samples, a line
/// each, and `done`; or `error`; or `stale` when a request with the same or a higher id arrived
/// meanwhile (CONTRACT §10). Nothing that stands in a request ends it. Gives the exit code.
int servePreviews();

}  // namespace millrace::cli
