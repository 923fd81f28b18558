// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu/gpu_values.h"

#include <algorithm>

namespace millrace {

namespace {

constexpr std::array kFields = {
    GpuField{"utilisation", &GpuValues::utilisation, false, true},
    GpuField{"memory_utilisation", &GpuValues::memoryUtilisation, false, true},
    GpuField{"memory_used_bytes", &GpuValues::memoryUsedBytes, true, true},
    GpuField{"memory_total_bytes", &GpuValues::memoryTotalBytes, true, false},
    GpuField{"power_watts", &GpuValues::powerWatts, false, true},
    GpuField{"power_limit_watts", &GpuValues::powerLimitWatts, false, false},
    GpuField{"sm_clock_mhz", &GpuValues::smClockMhz, false, true},
    GpuField{"memory_clock_mhz", &GpuValues::memoryClockMhz, false, true},
    GpuField{"throttled_share", &GpuValues::throttledShare, false, true},
    GpuField{"temperature_celsius", &GpuValues::temperatureCelsius, true, true},
    GpuField{"pcie_rx_bytes_per_second", &GpuValues::pcieRxBytesPerSecond, false, true},
    GpuField{"pcie_tx_bytes_per_second", &GpuValues::pcieTxBytesPerSecond, false, true},
    GpuField{"decoder_utilisation", &GpuValues::decoderUtilisation, false, true},
    GpuField{"jpeg_utilisation", &GpuValues::jpegUtilisation, false, true},
    GpuField{"other_processes", &GpuValues::otherProcesses, true, false},
    GpuField{"other_share", &GpuValues::otherShare, false, false},
    GpuField{"monitor_cpu_share", &GpuValues::monitorCpuShare, false, false},
};

struct Reason {
  std::uint64_t bit;
  std::string_view name;
};

/// nvml.h, "NvmlClocksEventReasons". Not included: 0x1 idle, 0x2 and 0x100 clocks set by a user or
/// for a display, 0x10 other GPUs of a sync boost group.
constexpr std::array kReasons = {
    Reason{0x4, "power cap"},          Reason{0x8, "hardware slowdown"},
    Reason{0x20, "too hot"},           Reason{0x40, "hardware too hot"},
    Reason{0x80, "power brake"},       Reason{0x200, "board limit"},
    Reason{0x400, "reliability limit"}};

}  // namespace

std::span<const GpuField> gpuFields() { return kFields; }

std::vector<std::string> gpuThrottleNames(std::uint64_t reasons) {
  std::vector<std::string> names;
  for (const Reason& reason : kReasons)
    if ((reasons & reason.bit) != 0) names.emplace_back(reason.name);
  return names;
}

std::uint64_t gpuThrottling(std::uint64_t reasons) {
  std::uint64_t all = 0;
  for (const Reason& reason : kReasons) all |= reason.bit;
  return reasons & all;
}

std::uint64_t gpuThrottleBit(std::string_view name) {
  const auto found = std::ranges::find(kReasons, name, &Reason::name);
  return found == kReasons.end() ? 0 : found->bit;
}

void GpuMeans::add(const GpuValues& values) {
  static_assert(std::tuple_size_v<decltype(m_sums)> == kFields.size());
  ++m_samples;
  m_reasons |= values.throttleReasons;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    const std::optional<double>& value = values.*kFields[i].value;
    if (!value) continue;
    Sum& sum = m_sums[i];
    sum.greatest = sum.count == 0 ? *value : std::max(sum.greatest, *value);
    sum.sum += *value;
    ++sum.count;
  }
}

GpuValues GpuMeans::values() const {
  GpuValues values;
  values.throttleReasons = m_reasons;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    const Sum& sum = m_sums[i];
    if (sum.count == 0) continue;
    values.*kFields[i].value =
        kFields[i].peak ? sum.greatest : sum.sum / static_cast<double>(sum.count);
  }
  return values;
}

std::optional<GpuFigures> combineGpu(std::span<const GpuFigures> repeats) {
  if (repeats.empty()) return std::nullopt;
  GpuFigures all = repeats.front();
  GpuMeans means;
  all.samples = 0;
  for (const GpuFigures& repeat : repeats) {
    means.add(repeat.values);
    all.samples += repeat.samples;
    if (all.ended.empty()) all.ended = repeat.ended;
  }
  all.values = means.values();
  return all;
}

}  // namespace millrace
