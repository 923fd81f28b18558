// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/gpu_rows.h"

#include <algorithm>

#include <QStringList>

#include "core/base/text/text.h"
#include "core/metrics/metric_spec.h"
#include "core/metrics/metric_text.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

QString bytes(double value) { return toQt(humanBytes(value)).replace(' ', kNoBreak); }

QString number(double value) { return toQt(roundedText(value)).replace(' ', kNoBreak); }

QString metric(std::string_view key) { return "accelerator." + toQt(key); }

void addShare(std::vector<GpuRow>& rows, const char* label, const std::optional<double>& share,
              const char* key) {
  if (!share) return;
  rows.push_back({label, shownShare(*share), std::clamp(*share, 0.0, 1.0), false, metric(key)});
}

/// A part and its whole; the whole may be unknown.
void addPart(std::vector<GpuRow>& rows, const char* label, const std::optional<double>& part,
             const std::optional<double>& whole, QString (*show)(double), const char* key) {
  if (!part) return;
  GpuRow row{label, show(*part), std::nullopt, false, metric(key)};
  if (whole && *whole > 0) {
    row.share = std::clamp(*part / *whole, 0.0, 1.0);
    const QString of = show(*whole);
    // The unit is written once: "60 of 150 GB".
    if (row.text.section(kNoBreak, 1) == of.section(kNoBreak, 1))
      row.text = row.text.section(kNoBreak, 0, 0);
    row.text += " of " + of;
  }
  rows.push_back(row);
}

void addText(std::vector<GpuRow>& rows, const GpuValues& values) {
  const auto add = [&rows](const char* label, const QString& text, const char* key) {
    rows.push_back({label, text, std::nullopt, false, metric(key)});
  };
  const auto megahertz = [](double value) -> QString { return number(value) + kNoBreak + "MHz"; };
  if (values.smClockMhz) add("Clock", megahertz(*values.smClockMhz), "sm_clock_mhz");
  if (values.memoryClockMhz)
    add("Memory clock", megahertz(*values.memoryClockMhz), "memory_clock_mhz");
  if (values.temperatureCelsius)
    add("Temperature", number(*values.temperatureCelsius) + kNoBreak + "°C", "temperature_celsius");
  if (values.pcieRxBytesPerSecond)
    add("To GPU", bytes(*values.pcieRxBytesPerSecond) + "/s", "pcie_rx_bytes_per_second");
  if (values.pcieTxBytesPerSecond)
    add("From GPU", bytes(*values.pcieTxBytesPerSecond) + "/s", "pcie_tx_bytes_per_second");
}

void addWarnings(std::vector<GpuRow>& rows, const GpuFigures& gpu) {
  const GpuValues& values = gpu.values;
  if (values.throttledShare.value_or(0) > 0)
    rows.push_back({"Throttled", toQt(join(gpuThrottleNames(values.throttleReasons), ", ")),
                    std::nullopt, true, metric("throttled_share")});
  if (const double others = values.otherProcesses.value_or(0); others > 0)
    rows.push_back({"Shared", QString("with %1 other%2").arg(others).arg(others > 1 ? "s" : ""),
                    std::nullopt, true, metric("other_processes")});
  if (!gpu.ended.empty()) rows.push_back({"Ended", toQt(gpu.ended), std::nullopt, true, {}});
}

}  // namespace

std::vector<GpuRow> gpuRows(const GpuFigures& gpu) {
  const GpuValues& values = gpu.values;
  const auto watts = [](double value) -> QString { return number(value) + kNoBreak + "W"; };
  std::vector<GpuRow> rows;
  addShare(rows, "Busy", values.utilisation, "utilisation");
  addShare(rows, "Memory busy", values.memoryUtilisation, "memory_utilisation");
  addPart(rows, "Memory", values.memoryUsedBytes, values.memoryTotalBytes, bytes,
          "memory_used_bytes");
  addPart(rows, "Power", values.powerWatts, values.powerLimitWatts, watts, "power_watts");
  addShare(rows, "JPEG engine", values.jpegUtilisation, "jpeg_utilisation");
  // Millrace does not use it: it has a row only if another program does.
  if (values.decoderUtilisation.value_or(0) > 0)
    addShare(rows, "Video decoder", values.decoderUtilisation, "decoder_utilisation");
  addText(rows, values);
  addWarnings(rows, gpu);
  return rows;
}

}  // namespace millrace
