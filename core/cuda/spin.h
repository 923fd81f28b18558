// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "core/base/result.h"
#include "core/cuda/stream.h"

namespace millrace {

/// Keeps every multiprocessor busy with one block for `time`, measured by the device's nanosecond
/// clock, as a training step would; on an emulated device the stream sleeps. It is enqueued like a
/// kernel and cannot be stopped, so keep `time` short and enqueue several.
Status spin(Stream& stream, int multiprocessors, std::chrono::nanoseconds time);

}  // namespace millrace
