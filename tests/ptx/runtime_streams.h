// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <optional>

namespace millrace::ptx {

/// Enqueues work to a stream of the program, on the thread's current device; it is skipped once the
/// device has faulted.
cudaError_t enqueue(cudaStream_t stream, std::function<void()> work);
/// Waits for all work enqueued in it.
cudaError_t synchronise(cudaStream_t stream);
/// The device of a stream; for a default stream the current one. nullopt if the stream is invalid.
std::optional<int> deviceOf(cudaStream_t stream);
/// Waits for all streams.
void synchroniseAll();

}  // namespace millrace::ptx
