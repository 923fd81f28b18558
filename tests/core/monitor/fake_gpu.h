// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <dlfcn.h>

#include "tests/core/monitor/fake/fake_nvml.h"
#include "tests/support/places.h"

namespace millrace::tests {

/// The fake management library, opened by the test as well. The same file is the same library, so
/// what is set here is what the tested code reads.
class FakeGpu {
 public:
  explicit FakeGpu(const std::string& script, const char* file = tests::kFakeNvml)
      : m_file(file), m_handle(dlopen(file, RTLD_NOW)) {
    set(script);
  }
  ~FakeGpu() { dlclose(m_handle); }
  FakeGpu(const FakeGpu&) = delete;
  FakeGpu& operator=(const FakeGpu&) = delete;

  void set(const std::string& script) {
    function<decltype(fakeNvmlScript)>("fakeNvmlScript")(script.c_str());
  }
  int calls(const char* key) { return function<decltype(fakeNvmlCalls)>("fakeNvmlCalls")(key); }
  int users() { return function<decltype(fakeNvmlUsers)>("fakeNvmlUsers")(); }
  const std::string& file() const { return m_file; }

 private:
  template <class F>
  F* function(const char* name) {
    return reinterpret_cast<F*>(dlsym(m_handle, name));
  }
  const std::string m_file;
  void* const m_handle;
};

/// A card that supports every quantity.
inline const char* const kWholeCard = R"(
  devices = 1
  driver = 580.95
  library = 13.580.95
  cuda = 13000
  0.name = NVIDIA H200
  0.uuid = GPU-11112222-aaaa
  0.utilisation = 40 30
  0.memory = 150000000000 60000000000
  0.power = 412500
  0.power_limit = 700000
  0.sm_clock = 1980
  0.memory_clock = 3201
  0.reasons = 0x24
  0.temperature = 61
  0.bus = 500 200
  0.link = 4 16
  0.decoder = 0
  0.jpeg = 87
  0.processes = 10 11 12
  0.graphics = 12 13
  0.mig = 0
)";

}  // namespace millrace::tests
