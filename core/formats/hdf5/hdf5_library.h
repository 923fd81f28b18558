// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Restricts the API to functions that exist in 1.10 and later versions.
#define H5_USE_110_API
#include <hdf5.h>

#include <string>
#include <utility>

#include "core/base/mutex.h"

namespace millrace {

/// Must be held while calling libhdf5, which distributions build without thread safety. The first
/// use turns off the library's error output.
class MILLRACE_SCOPED_CAPABILITY Hdf5Lock {
 public:
  Hdf5Lock() MILLRACE_ACQUIRE(mutex());
  ~Hdf5Lock() MILLRACE_RELEASE() { mutex().unlock(); }
  Hdf5Lock(const Hdf5Lock&) = delete;
  Hdf5Lock& operator=(const Hdf5Lock&) = delete;

  static Mutex& mutex();
};

/// Owns an identifier of the library. Use and destroy under the lock.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Id() = default;
  Hdf5Id(hid_t id, Close closeId) : m_id(id), m_close(closeId) {}
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
  /// Negative if the library failed, for example to write to a full disk.
  herr_t close() { return m_close(std::exchange(m_id, -1)); }

 private:
  hid_t m_id = -1;
  Close m_close = nullptr;
};

/// The attribute of a label dataset with the names of the classes.
constexpr const char* kHdf5Classes = "classes";

/// The library's innermost message about its last failure.
std::string hdf5Reason();

}  // namespace millrace
