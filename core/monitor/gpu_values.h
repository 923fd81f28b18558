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

/// What a GPU does at one moment, or over a span. Absent where the device, the driver or the rights
/// of this user do not tell: never 0 in its place. core/metrics describes each as
/// `accelerator.KEY`.
struct GpuValues {
  std::optional<double> utilisation;        ///< share of 1
  std::optional<double> memoryUtilisation;  ///< share of 1
  std::optional<double> memoryUsedBytes;    ///< of all processes
  std::optional<double> memoryTotalBytes;
  std::optional<double> powerWatts;
  std::optional<double> powerLimitWatts;
  std::optional<double> smClockMhz;
  std::optional<double> memoryClockMhz;
  std::optional<double> throttledShare;  ///< of one moment 0 or 1
  std::optional<double> temperatureCelsius;
  std::optional<double> pcieRxBytesPerSecond;  ///< to the GPU
  std::optional<double> pcieTxBytesPerSecond;  ///< from the GPU
  std::optional<double> decoderUtilisation;    ///< of the video decoder
  std::optional<double> jpegUtilisation;
  std::optional<double> otherProcesses;   ///< that use the GPU; absent inside a container
  std::optional<double> otherShare;       ///< of time in which their kernels ran; absent likewise
  std::optional<double> monitorCpuShare;  ///< what watching costs, of one core
  /// Bits of nvmlClocksEventReasons that slow the clocks down; gpuThrottleNames words them.
  std::uint64_t throttleReasons = 0;
};

struct GpuSample {
  SteadyTime at;
  GpuValues values;
};

/// What came since somebody looked last.
struct GpuNews {
  std::string name;
  std::vector<GpuSample> samples;  ///< the last ten seconds at most
  std::string ended;               ///< why no more will come; empty: they do
};

/// One of GpuValues' numbers.
struct GpuField {
  std::string_view key;  ///< in JSON; of the metric behind "accelerator."
  std::optional<double> GpuValues::* value = nullptr;
  /// A span has its greatest value, and not its mean.
  bool peak = false;
  /// Changes all the time, so that it is kept as a series.
  bool series = true;
};
std::span<const GpuField> gpuFields();

/// "power cap", "too hot", ... of the bits that are set.
std::vector<std::string> gpuThrottleNames(std::uint64_t reasons);
/// Those of `reasons` that mean slower clocks than the device could have: an idle GPU and clocks
/// that a person set are none.
std::uint64_t gpuThrottling(std::uint64_t reasons);
/// The bit of such a name, 0 for an unknown one.
std::uint64_t gpuThrottleBit(std::string_view name);

/// A GPU over a measured span, or over the repeats of a run.
struct GpuFigures {
  std::string name;
  GpuValues values;  ///< means, or peaks where GpuField says so; reasons: every one that was seen
  std::uint64_t samples = 0;
  std::string ended;  ///< why the sampling ended before the span did; empty: it did not
};

/// Takes samples in and gives what GpuFigures shows of them. Value type.
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

/// Of several repeats; nothing when none has any.
std::optional<GpuFigures> combineGpu(std::span<const GpuFigures> repeats);

}  // namespace millrace
