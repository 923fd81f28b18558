// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The part of NVIDIA's management library (NVML) that the GPU monitor uses. It is declared here
// instead of taken from nvml.h: NVML's C interface only grows, two dozen functions are easier to
// maintain than a header to fetch, and so the monitor is part of every build. Names, numbers and
// layouts are those of nvml.h 13.5 ("NVML API Reference Guide": Initialization and Cleanup, System
// Queries, Device Queries, Field Value Queries, Multi Instance GPU Management). The library is
// opened at run time; any of these functions may be missing in an older version.

namespace millrace::nvml {

using Device = struct OpaqueDevice*;  ///< nvmlDevice_t
using Code = int;                     ///< nvmlReturn_t

inline constexpr Code kSuccess = 0;
inline constexpr Code kUninitialized = 1;
inline constexpr Code kInvalidArgument = 2;
inline constexpr Code kNotSupported = 3;
inline constexpr Code kNoPermission = 4;
inline constexpr Code kNotFound = 6;
inline constexpr Code kInsufficientSize = 7;
inline constexpr Code kDriverNotLoaded = 9;
inline constexpr Code kFunctionNotFound = 13;
inline constexpr Code kGpuIsLost = 15;
inline constexpr Code kResetRequired = 16;
inline constexpr Code kVersionMismatch = 18;
inline constexpr Code kUnknown = 999;

inline constexpr unsigned kTextSize = 96;  ///< NVML_DEVICE_UUID_V2_BUFFER_SIZE, the longest

struct Utilization {  ///< percent
  unsigned gpu;
  unsigned memory;
};

struct Memory {  ///< bytes; `used` includes what the driver reserves
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

/// nvmlProcessInfo_v2_t, for functions ending in _v2 and _v3. Exception: _v3 of drivers 535.43 to
/// 535.86 writes entries of kLongProcessInfo bytes.
struct ProcessInfo {
  unsigned pid;
  unsigned long long usedGpuMemory;
  unsigned gpuInstanceId;
  unsigned computeInstanceId;
};

struct ProcessUtilization {  ///< nvmlProcessUtilizationSample_t
  unsigned pid;
  unsigned long long timestamp;  ///< microseconds since 1970
  unsigned sm;                   ///< this and those below: percent
  unsigned memory;
  unsigned encoder;
  unsigned decoder;
};

struct FieldValue {
  unsigned fieldId;
  unsigned scopeId;
  long long timestamp;  ///< microseconds since 1970
  long long latencyUsec;
  int valueType;
  Code result;
  union {
    double d;
    int si;
    unsigned ui;
    unsigned long ul;
    unsigned long long ull;
    long long sll;
  } value;
};
inline constexpr unsigned kLongProcessInfo = 32;
static_assert(sizeof(ProcessInfo) == 24 && sizeof(FieldValue) == 40 &&
                  sizeof(ProcessUtilization) == 32,
              "as nvml.h lays them out");

enum class ValueType : int { Double = 0, UnsignedInt = 1, UnsignedLong = 2, UnsignedLongLong = 3 };

inline constexpr int kClockSm = 1;
inline constexpr int kClockMemory = 2;
inline constexpr int kSensorGpu = 0;
inline constexpr int kPcieTransmit = 0;  ///< by the GPU
inline constexpr int kPcieReceive = 1;
inline constexpr unsigned kFieldPcieTransmitBytes = 197;
inline constexpr unsigned kFieldPcieReceiveBytes = 198;

/// The functions found in the library; nullptr if this version does not have one.
struct Functions {
  Code (*init)() = nullptr;
  Code (*shutdown)() = nullptr;
  const char* (*errorString)(Code) = nullptr;
  Code (*driverVersion)(char*, unsigned) = nullptr;
  Code (*libraryVersion)(char*, unsigned) = nullptr;
  Code (*cudaVersion)(int*) = nullptr;
  Code (*deviceCount)(unsigned*) = nullptr;
  Code (*deviceByIndex)(unsigned, Device*) = nullptr;
  Code (*deviceName)(Device, char*, unsigned) = nullptr;
  Code (*deviceUuid)(Device, char*, unsigned) = nullptr;
  Code (*utilization)(Device, Utilization*) = nullptr;
  Code (*memory)(Device, Memory*) = nullptr;
  Code (*power)(Device, unsigned*) = nullptr;       ///< milliwatts
  Code (*powerLimit)(Device, unsigned*) = nullptr;  ///< milliwatts
  Code (*clock)(Device, int, unsigned*) = nullptr;  ///< MHz
  Code (*clockReasons)(Device, unsigned long long*) = nullptr;
  Code (*temperature)(Device, int, unsigned*) = nullptr;     ///< degrees Celsius
  Code (*pcieThroughput)(Device, int, unsigned*) = nullptr;  ///< KB/s; takes 20 ms
  Code (*linkGeneration)(Device, unsigned*) = nullptr;       ///< highest supported by card and slot
  Code (*linkWidth)(Device, unsigned*) = nullptr;            ///< lanes, highest supported by both
  Code (*fieldValues)(Device, int, FieldValue*) = nullptr;
  Code (*decoderUtilization)(Device, unsigned*, unsigned*) = nullptr;
  Code (*jpegUtilization)(Device, unsigned*, unsigned*) = nullptr;
  Code (*computeProcesses)(Device, unsigned*, ProcessInfo*) = nullptr;
  Code (*graphicsProcesses)(Device, unsigned*, ProcessInfo*) = nullptr;
  /// Samples newer than a time stamp, which may be 0.
  Code (*processUtilization)(Device, ProcessUtilization*, unsigned*, unsigned long long) = nullptr;
  Code (*migMode)(Device, unsigned*, unsigned*) = nullptr;
  Code (*maxMigDevices)(Device, unsigned*) = nullptr;
  Code (*migDevice)(Device, unsigned, Device*) = nullptr;
  Code (*gpuInstanceId)(Device, unsigned*) = nullptr;
  Code (*computeInstanceId)(Device, unsigned*) = nullptr;
};

}  // namespace millrace::nvml
