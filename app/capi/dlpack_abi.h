// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// DLManagedTensor and its parts, laid out as on the "C API" page of DLPack's documentation. The
// layout is the same in every version of DLPack; since 1.0 there is also DLManagedTensorVersioned,
// which no consumer requires.

struct DLDevice {
  std::int32_t device_type = 0;  // see millrace_device for those that we use
  std::int32_t device_id = 0;
};

enum DLDataTypeCode : std::uint8_t { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4 };

struct DLDataType {
  std::uint8_t code = kDLUInt;
  std::uint8_t bits = 8;
  std::uint16_t lanes = 1;
};

struct DLTensor {
  void* data = nullptr;
  DLDevice device;
  std::int32_t ndim = 0;
  DLDataType dtype;
  std::int64_t* shape = nullptr;
  std::int64_t* strides = nullptr;  // in elements; from DLPack 1.2 on never a null pointer
  std::uint64_t byte_offset = 0;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx = nullptr;
  void (*deleter)(DLManagedTensor*) = nullptr;
};
