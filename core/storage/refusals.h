// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/storage/http_transfer.h"
#include "core/storage/object_service.h"

namespace millrace {

/// Whether the answer's status says that a later request may succeed.
bool mayAnswerLater(int status);
/// Why the server refused, and what to do. Never shows headers or queries of the request.
Error refusalOf(const HttpTransfer& transfer, const RemotePath& path);

/// The wait before attempt `attempt` (from 1): exponential, with a random part, longer if the
/// server is overloaded, at least what it asks for.
std::chrono::milliseconds waitBefore(int attempt, const HttpTransfer& last);

/// How long a server may send nothing: MILLRACE_REMOTE_TIMEOUT in seconds, otherwise 20 s.
std::chrono::seconds longestStall();
/// So many attempts in a row without a new byte end a read.
inline constexpr int kMostAttempts = 7;

}  // namespace millrace
