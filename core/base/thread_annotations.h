// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Clang's thread-safety attributes (https://clang.llvm.org/docs/ThreadSafetyAnalysis.html); empty
/// for other compilers.
#if defined(__clang__)
#define MILLRACE_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define MILLRACE_THREAD_ATTRIBUTE(x)
#endif

#define MILLRACE_CAPABILITY(name) MILLRACE_THREAD_ATTRIBUTE(capability(name))
#define MILLRACE_SCOPED_CAPABILITY MILLRACE_THREAD_ATTRIBUTE(scoped_lockable)
#define MILLRACE_GUARDED_BY(mutex) MILLRACE_THREAD_ATTRIBUTE(guarded_by(mutex))
#define MILLRACE_REQUIRES(...) MILLRACE_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define MILLRACE_EXCLUDES(...) MILLRACE_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define MILLRACE_ACQUIRE(...) MILLRACE_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define MILLRACE_RELEASE(...) MILLRACE_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define MILLRACE_NO_THREAD_SAFETY_ANALYSIS MILLRACE_THREAD_ATTRIBUTE(no_thread_safety_analysis)
