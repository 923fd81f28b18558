// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include "core/base/check.h"

namespace millrace::tests {

/// The functions of tests/core/cuda/fake/fake_nvjpeg.h in a library of that kind.
class FakeNvjpeg {
 public:
  explicit FakeNvjpeg(const char* file) : m_library(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    MILLRACE_CHECK(m_library != nullptr, "the stand-in for nvJPEG is built");
  }
  ~FakeNvjpeg() { dlclose(m_library); }
  FakeNvjpeg(const FakeNvjpeg&) = delete;
  FakeNvjpeg& operator=(const FakeNvjpeg&) = delete;

  void script(const char* words) const {
    reinterpret_cast<void (*)(const char*)>(dlsym(m_library, "fakeNvjpegScript"))(words);
  }
  int batches() const { return count("fakeNvjpegBatches"); }
  int singles() const { return count("fakeNvjpegSingles"); }
  int pictures() const { return count("fakeNvjpegPictures"); }
  int regions() const { return count("fakeNvjpegRegions"); }
  int open() const { return count("fakeNvjpegOpen"); }

 private:
  int count(const char* name) const {
    return reinterpret_cast<int (*)()>(dlsym(m_library, name))();
  }
  void* const m_library;
};

}  // namespace millrace::tests
