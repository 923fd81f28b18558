// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions that are as well in 1.10 as in later versions.
#define H5_USE_110_API
#include <hdf5.h>

#include <string>
#include <utility>

#include "core/base/mutex.h"

namespace millrace {

/// What all users of libhdf5 hold while they call it: as distributions build it, it is not
/// thread-safe. Its printing of errors is off from the first time on.
class MILLRACE_SCOPED_CAPABILITY Hdf5Lock {
 public:
  Hdf5Lock() MILLRACE_ACQUIRE(mutex());
  ~Hdf5Lock() MILLRACE_RELEASE() { mutex().unlock(); }
  Hdf5Lock(const Hdf5Lock&) = delete;
  Hdf5Lock& operator=(const Hdf5Lock&) = delete;

  static Mutex& mutex();
};

/// Owns an identifier of the library. Used and destroyed under the lock.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Id() = default;
  Hdf5Id(hid_t id, Close close) : m_id(id), m_close(close) {}
  Hdf5Id(Hdf5Id&& other) noexcept : m_id(std::exchange(other.m_id, -1)), m_close(other.m_close) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(m_id, other.m_id);
    std::swap(m_close, other.m_close);
    return *this;
  }
  ~Hdf5Id() {
    if (m_id >= 0) m_close(m_id);
  }

  hid_t get() const { return m_id; }
  bool valid() const { return m_id >= 0; }
  /// Negative where the library could not, as when a full disk keeps it from writing.
  herr_t close() { return m_close(std::exchange(m_id, -1)); }

 private:
  hid_t m_id = -1;
  Close m_close = nullptr;
};

/// The attribute of a dataset of labels that names their classes.
constexpr const char* kHdf5Classes = "classes";

/// What the library says of its last failure, at the innermost place.
std::string hdf5Reason();

}  // namespace millrace
