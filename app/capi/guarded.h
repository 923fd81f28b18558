// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "app/capi/millrace.h"
#include "core/base/clock.h"

// What all functions of the C interface share.
namespace millrace::capi {

/// The text for millrace_last_error, of the calling thread.
std::string& lastError();

/// Sets lastError and returns `status`.
millrace_status failed(millrace_status status, const char* message);

/// The last barrier: exceptions of libraries become a status here.
template <class Work>
millrace_status guarded(Work&& work) {
  try {
    lastError().clear();
    return work();
  } catch (const std::bad_alloc&) {
    return failed(MILLRACE_ERROR_MEMORY, "out of memory");
  } catch (const std::exception& thrown) {
    return failed(MILLRACE_ERROR_RUN, thrown.what());
  } catch (...) {
    return failed(MILLRACE_ERROR_RUN, "a library failed without giving a reason");
  }
}

/// A copy for the caller, to be freed with millrace_free.
char* copied(const std::string& text);

/// `seconds` from now; a number that is not finite means years.
SteadyTime until(double seconds);

}  // namespace millrace::capi
