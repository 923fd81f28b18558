// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/cpu_speed.h"

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/monitor/small_file.h"

namespace millrace {

namespace {

/// A limit above this share of the processor's highest frequency is negligible.
constexpr double kCapShare = 0.97;

std::optional<double> gigahertzIn(const std::filesystem::path& file) {
  const std::string text = readSmallFile(file);
  const std::string_view digits = trimmed(text);
  double kilohertz = 0;
  const auto [rest, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), kilohertz);
  if (error != std::errc() || kilohertz <= 0) return std::nullopt;
  return kilohertz / 1e6;
}

}  // namespace

void warnOfSlowCores(Problems& problems, const std::filesystem::path& root) {
  const std::filesystem::path cpu = root / "sys/devices/system/cpu/cpu0/cpufreq";
  const std::string governor = readSmallFile(cpu / "scaling_governor");
  const std::string driver = readSmallFile(cpu / "scaling_driver");
  // These two drivers choose frequencies themselves; the governor's name is only a preference.
  const bool chooses = driver.starts_with("intel_pstate") || driver.starts_with("amd-pstate-epp");
  if (trimmed(governor) == "powersave" && !chooses)
    problems.warning("", "",
                     "the cores are kept at their lowest frequency (governor powersave): figures "
                     "measured now do not show what the machine can do",
                     "`sudo cpupower frequency-set -g performance` lifts the limit");
  const auto allowed = gigahertzIn(cpu / "scaling_max_freq");
  const auto most = gigahertzIn(cpu / "cpuinfo_max_freq");
  if (allowed && most && *allowed < kCapShare * *most)
    problems.warning("", "",
                     fmt::format("the cores are limited to {:.1f} of {:.1f} GHz: figures measured "
                                 "now do not show what the machine can do",
                                 *allowed, *most),
                     fmt::format("`sudo cpupower frequency-set -u {:.1f}GHz` lifts the limit, "
                                 "unless a battery or a power profile sets it",
                                 *most));
}

std::optional<std::uint64_t> thermalThrottles(const std::filesystem::path& root) {
  std::optional<std::uint64_t> all;
  const std::filesystem::path cores = root / "sys/devices/system/cpu";
  std::error_code error;
  for (int core = 0;; ++core) {
    const std::filesystem::path folder = cores / fmt::format("cpu{}", core);
    if (!std::filesystem::exists(folder, error)) break;
    const std::string text = readSmallFile(folder / "thermal_throttle/core_throttle_count");
    std::uint64_t count = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), count).ec == std::errc())
      all = all.value_or(0) + count;
  }
  return all;
}

}  // namespace millrace
