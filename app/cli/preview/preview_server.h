// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace::cli {

/// Answers preview requests from standard input until it ends. Each request gets one line for each
/// sample and then `done`; or `error`; or `stale` if a request with the same or a higher id arrived
/// meanwhile (docs/reference/event-stream.md). No request can end the server. Returns the exit
/// code.
int servePreviews();

}  // namespace millrace::cli
