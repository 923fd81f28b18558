// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/kernels/on_device.h"

#include <cstdlib>

#include "core/base/check.h"
#include "core/cuda/emulated_device.h"

namespace millrace::tests {

namespace {

Result<std::shared_ptr<Device>> deviceForTests() {
  const char* backend = std::getenv("MILLRACE_TEST_BACKEND");
  if (backend == nullptr || std::string(backend) != "cuda") return makeEmulatedDevice();
  return openDevice();
}

void must(const Status& status) {
  MILLRACE_CHECK(status.ok(), status.ok() ? "" : status.error().message);
}

}  // namespace

std::unique_ptr<OnDevice> OnDevice::open(std::string& reason) {
  Result<std::shared_ptr<Device>> device = deviceForTests();
  if (!device) {
    reason = device.error().message;
    return nullptr;
  }
  auto opened = std::make_unique<OnDevice>();
  opened->m_device = device.take();
  opened->m_stream = opened->m_device->makeStream("test").take();
  return opened;
}

std::byte* OnDevice::memory(std::size_t bytes) {
  m_memory.push_back(m_device->deviceMemory(bytes == 0 ? 1 : bytes).take());
  must(m_stream->fill(m_memory.back().data(), 0, bytes));
  return m_memory.back().data();
}

std::byte* OnDevice::uploadBytes(std::span<const std::byte> bytes) {
  std::byte* to = memory(bytes.size());
  must(m_stream->copyToDevice(to, bytes.data(), bytes.size()));
  must(m_stream->synchronise());
  return to;
}

std::vector<std::byte> OnDevice::download(const std::byte* from, std::size_t bytes) {
  std::vector<std::byte> host(bytes);
  must(m_stream->copyToHost(host.data(), from, bytes));
  must(m_stream->synchronise());
  return host;
}

}  // namespace millrace::tests
