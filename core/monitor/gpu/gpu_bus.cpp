// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu/gpu_bus.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace millrace {

namespace {

constexpr double kNarrow = 4294967296.0;  ///< a 32-bit counter wraps around here
/// Assumed if a link does not report its rate: 16 lanes of the fifth generation.
constexpr double kAssumedLinkRate = 64e9;
/// Tolerance, because times are taken slightly before or after the counters.
constexpr double kSlack = 1.25;
constexpr unsigned kFailures = 3;
/// One second at 10 Hz in which no rate could be determined; after that it is given up.
constexpr unsigned kAmbiguousSpans = 10;

/// Raw bits of all lanes, an upper bound of the traffic ("PCI Express Base Specification"): 2.5 and
/// 5 GT/s in the first two generations, 8 in the third, then doubling with each generation.
double linkRate(unsigned generation, unsigned lanes) {
  const double transfers =
      generation < 3 ? 2.5e9 * generation : 8e9 * std::exp2(static_cast<double>(generation) - 3);
  return transfers / 8 * lanes;
}

std::uint64_t wholeNumber(const nvml::FieldValue& field) {
  switch (static_cast<nvml::ValueType>(field.valueType)) {
    case nvml::ValueType::UnsignedInt: return field.value.ui;
    case nvml::ValueType::UnsignedLong: return field.value.ul;
    default: return field.value.ull;
  }
}

std::optional<double> perSecond(std::optional<std::uint64_t> bytes, double seconds) {
  if (!bytes) return std::nullopt;
  return static_cast<double>(*bytes) / seconds;
}

void add(std::optional<std::uint64_t>& sum, std::optional<std::uint64_t> more) {
  if (!more)
    sum.reset();
  else if (sum)
    *sum += *more;
}

}  // namespace

GpuBusRates GpuBus::rates(SteadyTime now) {
  if (m_answers.asks(GpuQuestion::BusCounters)) {
    const GpuBusRates found = counted(now);
    if (m_answers.asks(GpuQuestion::BusCounters)) return found;
  }
  return measured();
}

bool GpuBus::needsPoll(std::chrono::nanoseconds period) const {
  return m_answers.asks(GpuQuestion::BusCounters) && !m_wide && m_linkRate &&
         *m_linkRate * toSeconds(period) * kSlack > kNarrow;
}

void GpuBus::poll(SteadyTime now) {
  if (!m_answers.asks(GpuQuestion::BusCounters)) return;
  Reading later{now};
  if (!readCounters(later)) return;
  const std::optional<Reading> earlier = std::exchange(m_last, later);
  m_wide = m_wide || std::max(later.received, later.transmitted) >= std::uint64_t{1} << 32;
  if (!earlier) {
    m_since = now;
    m_moved = {};
    return;
  }
  const double seconds = toSeconds(now - earlier->at);
  add(m_moved.received, difference(earlier->received, later.received, seconds));
  add(m_moved.transmitted, difference(earlier->transmitted, later.transmitted, seconds));
}

GpuBusRates GpuBus::counted(SteadyTime now) {
  if (!m_linkRate) learnLink();
  const bool first = !m_last;
  poll(now);
  // After a failed reading the span stays open until the next successful one.
  if (first || !m_last || m_last->at != now || now <= m_since) return {};
  const double seconds = toSeconds(now - m_since);
  const GpuBusRates found{perSecond(m_moved.received, seconds),
                          perSecond(m_moved.transmitted, seconds)};
  m_since = now;
  m_moved = {};
  m_ambiguous = found.received || found.transmitted ? 0 : m_ambiguous + 1;
  if (m_ambiguous >= kAmbiguousSpans) m_answers.refuse(GpuQuestion::BusCounters);
  return found;
}

/// Bytes between two readings of a counter; nullopt if that is not certain.
std::optional<std::uint64_t> GpuBus::difference(std::uint64_t earlier, std::uint64_t later,
                                                double seconds) const {
  const double most = m_linkRate.value_or(kAssumedLinkRate) * seconds;
  if (m_wide ? later < earlier : most > kNarrow) return std::nullopt;
  const std::uint64_t moved =
      m_wide ? later - earlier : static_cast<std::uint32_t>(later - earlier);
  // More than the link can transfer: the counter was reset.
  if (static_cast<double>(moved) > most * kSlack) return std::nullopt;
  return moved;
}

bool GpuBus::readCounters(Reading& reading) {
  std::array<nvml::FieldValue, 2> fields{};
  fields[0].fieldId = nvml::kFieldPcieReceiveBytes;
  fields[1].fieldId = nvml::kFieldPcieTransmitBytes;
  const nvml::Code code =
      GpuLibrary::call(m_f.fieldValues, m_card, static_cast<int>(fields.size()), fields.data());
  if (code != nvml::kSuccess) {
    (void)m_answers.took(GpuQuestion::BusCounters, code, "bus counters");
    return failed();
  }
  // A successful call says nothing about the fields: each has its own result.
  for (const nvml::FieldValue& field : fields) {
    if (m_answers.took(GpuQuestion::BusCounters, field.result, "bus counters")) continue;
    // Older devices report an unknown field as an invalid argument.
    if (field.result == nvml::kInvalidArgument) m_answers.refuse(GpuQuestion::BusCounters);
    return failed();
  }
  m_failures = 0;
  reading.received = wholeNumber(fields[0]);
  reading.transmitted = wholeNumber(fields[1]);
  return true;
}

bool GpuBus::failed() {
  if (++m_failures >= kFailures) m_answers.refuse(GpuQuestion::BusCounters);
  return false;
}

void GpuBus::learnLink() {
  unsigned generation = 0;
  unsigned lanes = 0;
  const bool known = GpuLibrary::call(m_f.linkGeneration, m_card, &generation) == nvml::kSuccess &&
                     GpuLibrary::call(m_f.linkWidth, m_card, &lanes) == nvml::kSuccess &&
                     generation >= 1 && generation <= 10 && lanes >= 1;
  m_linkRate = known ? linkRate(generation, lanes) : kAssumedLinkRate;
}

/// Measures one direction in each call, because that waits 20 ms; returns the last value for the
/// other.
GpuBusRates GpuBus::measured() {
  const bool both = !m_measured.received && !m_measured.transmitted;
  m_measuresReceived = !m_measuresReceived;
  const auto ask = [this](int direction) {
    std::optional<double> kilobytes = m_answers.number(GpuQuestion::BusThroughput, "bus traffic",
                                                       m_f.pcieThroughput, m_card, direction);
    if (kilobytes) *kilobytes *= 1000;
    return kilobytes;
  };
  if (both || m_measuresReceived) m_measured.received = ask(nvml::kPcieReceive);
  if (both || !m_measuresReceived) m_measured.transmitted = ask(nvml::kPcieTransmit);
  return m_measured;
}

}  // namespace millrace
