// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu/gpu_sampler.h"

namespace millrace {

namespace {

/// The list of processes changes rarely and is the most expensive query.
constexpr std::uint64_t kSamplesPerProcessList = 10;

nvml::Device watchedHandle(const std::vector<GpuDevice>& devices, const GpuChoice& choice) {
  const GpuDevice& device = devices[choice.device];
  return choice.instance ? device.instances[*choice.instance].handle : device.handle;
}

const std::string& watchedName(const std::vector<GpuDevice>& devices, const GpuChoice& choice) {
  const GpuDevice& device = devices[choice.device];
  return choice.instance ? device.instances[*choice.instance].name : device.name;
}

}  // namespace

GpuSampler::GpuSampler(const GpuLibrary& library, const std::vector<GpuDevice>& devices,
                       const GpuChoice& choice, const GpuAsker& asker)
    : m_f(library.functions()),
      m_device(watchedHandle(devices, choice)),
      m_card(devices[choice.device].handle),
      m_wholeCard(!choice.instance),
      m_name(watchedName(devices, choice)),
      m_answers(library),
      m_bus(library, m_card, m_answers),
      m_processes(library, m_device, m_card, m_answers, asker) {}

bool GpuSampler::needsPoll(std::chrono::nanoseconds period) const {
  return m_wholeCard && m_bus.needsPoll(period);
}

/// Whether a function, which may be missing or refused, was called successfully.
template <class F, class... Arguments>
bool GpuSampler::asked(GpuQuestion question, const char* what, F* function,
                       Arguments... arguments) {
  return m_answers.asks(question) &&
         m_answers.took(question, GpuLibrary::call(function, arguments...), what);
}

Result<GpuValues> GpuSampler::sample(SteadyTime now) {
  m_answers.beginSample();
  GpuValues values;
  readMemory(values);
  readReasons(values);
  values.smClockMhz =
      m_answers.number(GpuQuestion::SmClock, "SM clock", m_f.clock, m_card, nvml::kClockSm);
  values.memoryClockMhz = m_answers.number(GpuQuestion::MemoryClock, "memory clock", m_f.clock,
                                           m_card, nvml::kClockMemory);
  values.temperatureCelsius = m_answers.number(GpuQuestion::Temperature, "temperature",
                                               m_f.temperature, m_card, nvml::kSensorGpu);
  if (m_wholeCard) readWholeCard(values, now);
  if (m_samples++ % kSamplesPerProcessList == 0) {
    m_others = m_processes.others();
    if (m_wholeCard) m_otherShare = m_processes.otherShare();
  }
  values.otherProcesses = m_others;
  values.otherShare = m_otherShare;
  m_answers.endSample();
  if (!m_answers.lost().empty()) return Error{m_name + ": " + m_answers.lost()};
  return values;
}

/// Reads what is not available for an instance, or only for all instances together.
void GpuSampler::readWholeCard(GpuValues& values, SteadyTime now) {
  readUtilization(values);
  readEngines(values);
  if (const auto milliwatts = m_answers.number(GpuQuestion::Power, "power", m_f.power, m_card))
    values.powerWatts = *milliwatts * 1e-3;
  if (const auto milliwatts =
          m_answers.number(GpuQuestion::PowerLimit, "power limit", m_f.powerLimit, m_card))
    values.powerLimitWatts = *milliwatts * 1e-3;
  const GpuBusRates bus = m_bus.rates(now);
  values.pcieRxBytesPerSecond = bus.received;
  values.pcieTxBytesPerSecond = bus.transmitted;
}

void GpuSampler::readUtilization(GpuValues& values) {
  nvml::Utilization percent{};
  if (!asked(GpuQuestion::Utilization, "utilisation", m_f.utilization, m_card, &percent)) return;
  values.utilisation = percent.gpu / 100.0;
  values.memoryUtilisation = percent.memory / 100.0;
}

void GpuSampler::readMemory(GpuValues& values) {
  nvml::Memory memory{};
  if (!asked(GpuQuestion::Memory, "memory", m_f.memory, m_device, &memory)) return;
  values.memoryUsedBytes = static_cast<double>(memory.used);
  values.memoryTotalBytes = static_cast<double>(memory.total);
}

void GpuSampler::readReasons(GpuValues& values) {
  unsigned long long bits = 0;
  if (!asked(GpuQuestion::Reasons, "clock reasons", m_f.clockReasons, m_card, &bits)) return;
  values.throttleReasons = gpuThrottling(bits);
  values.throttledShare = values.throttleReasons == 0 ? 0 : 1;
}

void GpuSampler::readEngines(GpuValues& values) {
  unsigned period = 0;
  unsigned percent = 0;
  if (asked(GpuQuestion::Decoder, "decoder", m_f.decoderUtilization, m_card, &percent, &period))
    values.decoderUtilisation = percent / 100.0;
  if (asked(GpuQuestion::Jpeg, "JPEG", m_f.jpegUtilization, m_card, &percent, &period))
    values.jpegUtilisation = percent / 100.0;
}

}  // namespace millrace
