// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "core/base/result.h"
#include "core/cuda/stream.h"

namespace millrace {

/// Keeps every multiprocessor busy for `time` by the device's own nanosecond clock, with one block
/// each, as a training step would; on an emulated device the stream sleeps. Enqueued like any
/// kernel and cannot be stopped: keep `time` short and enqueue several.
Status spin(Stream& stream, int multiprocessors, std::chrono::nanoseconds time);

}  // namespace millrace
