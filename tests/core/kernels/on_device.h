// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/device.h"
#include "core/cuda/stream.h"

namespace millrace::tests {

/// A device for kernel tests: the emulated one, or with MILLRACE_TEST_BACKEND=cuda in the
/// environment the machine's GPU (tests/gpu runs the same tests that way). Allocated memory lives
/// as long as this object.
class OnDevice {
 public:
  /// nullptr and `reason` set if there is no such device; the test must skip.
  static std::unique_ptr<OnDevice> open(std::string& reason);

  Device& device() { return *m_device; }
  Stream& stream() { return *m_stream; }

  /// At least one byte, zeroed.
  std::byte* memory(std::size_t bytes);
  template <class T>
  T* upload(std::span<const T> values) {
    return reinterpret_cast<T*>(uploadBytes(std::as_bytes(values)));
  }
  template <class T>
  T* upload(const std::vector<T>& values) {
    return upload(std::span<const T>(values));
  }
  /// Runs after all enqueued work.
  std::vector<std::byte> download(const std::byte* from, std::size_t bytes);

 private:
  std::byte* uploadBytes(std::span<const std::byte> bytes);

  std::shared_ptr<Device> m_device;
  std::vector<DeviceBuffer> m_memory;
  std::unique_ptr<Stream> m_stream;
};

}  // namespace millrace::tests

/// Declares `name`, or skips the test with the reason.
#define OPEN_DEVICE(name)                                                         \
  std::string reasonWithout_##name;                                               \
  const auto held_##name = millrace::tests::OnDevice::open(reasonWithout_##name); \
  if (!held_##name) QSKIP(reasonWithout_##name.c_str());                          \
  millrace::tests::OnDevice& name = *held_##name
