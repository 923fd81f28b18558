// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"

namespace millrace {

/// Figures of a GPU at one moment or over a span. Absent, never 0, if device, driver or permissions
/// do not provide them. core/metrics describes each as `accelerator.KEY`.
struct GpuValues {
  std::optional<double> utilisation;        ///< 0 to 1
  std::optional<double> memoryUtilisation;  ///< 0 to 1
  std::optional<double> memoryUsedBytes;    ///< of all processes
  std::optional<double> memoryTotalBytes;
  std::optional<double> powerWatts;
  std::optional<double> powerLimitWatts;
  std::optional<double> smClockMhz;
  std::optional<double> memoryClockMhz;
  std::optional<double> throttledShare;  ///< at one moment 0 or 1
  std::optional<double> temperatureCelsius;
  std::optional<double> pcieRxBytesPerSecond;  ///< to the GPU
  std::optional<double> pcieTxBytesPerSecond;  ///< from the GPU
  std::optional<double> decoderUtilisation;    ///< of the video decoder
  std::optional<double> jpegUtilisation;
  /// Other processes using the GPU; absent inside a container.
  std::optional<double> otherProcesses;
  /// Share of time in which their kernels ran; absent inside a container.
  std::optional<double> otherShare;
  std::optional<double> monitorCpuShare;  ///< cost of monitoring, in cores
  /// Bits of nvmlClocksEventReasons that reduce the clocks; see gpuThrottleNames.
  std::uint64_t throttleReasons = 0;
};

struct GpuSample {
  SteadyTime at;
  GpuValues values;
};

/// What came since the last reading.
struct GpuNews {
  std::string name;
  std::vector<GpuSample> samples;  ///< at most the last ten seconds
  std::string ended;               ///< why there will be no more; empty while sampling continues
};

/// One of the numbers in GpuValues.
struct GpuField {
  std::string_view key;  ///< key in JSON, and of the metric after "accelerator."
  std::optional<double> GpuValues::* value = nullptr;
  /// Over a span its maximum is used instead of its mean.
  bool peak = false;
  /// It changes all the time, so it is recorded as a series.
  bool series = true;
};
std::span<const GpuField> gpuFields();

/// Names of the bits that are set: "power cap", "too hot", ...
std::vector<std::string> gpuThrottleNames(std::uint64_t reasons);
/// The bits of `reasons` that mean slower clocks than possible; an idle GPU and clocks set by a
/// user do not count.
std::uint64_t gpuThrottling(std::uint64_t reasons);
/// The bit for such a name; 0 for an unknown one.
std::uint64_t gpuThrottleBit(std::string_view name);

/// Figures of a GPU over a measured span, or over the repeats of a run.
struct GpuFigures {
  std::string name;
  GpuValues values;  ///< means or maxima, depending on GpuField; all reasons that occurred
  std::uint64_t samples = 0;
  std::string ended;  ///< why sampling ended before the span; empty if it did not
};

/// Accumulates samples and returns the values for GpuFigures. Value type.
class GpuMeans {
 public:
  void add(const GpuValues& values);
  GpuValues values() const;
  std::uint64_t samples() const { return m_samples; }

 private:
  struct Sum {
    double sum = 0;
    double greatest = 0;
    std::uint64_t count = 0;
  };
  std::array<Sum, 17> m_sums;  ///< by index in gpuFields
  std::uint64_t m_reasons = 0;
  std::uint64_t m_samples = 0;
};

/// Combined figures of several repeats; nullopt if none has any.
std::optional<GpuFigures> combineGpu(std::span<const GpuFigures> repeats);

}  // namespace millrace
