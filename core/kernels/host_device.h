// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks a pixel rule that both the CPU kernels and the CUDA kernels call: a small inline function
/// on values, without library calls that differ by side.
#if defined(__CUDACC__)
#define MILLRACE_HOST_DEVICE __host__ __device__
#else
#define MILLRACE_HOST_DEVICE
#endif
