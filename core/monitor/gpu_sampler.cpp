// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu_sampler.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <unistd.h>

namespace millrace {

namespace {

/// The processes change seldom and cost most.
constexpr std::uint64_t kSamplesPerProcessList = 10;
/// A second at 10 Hz: an odd error is none, a device that says nothing for so long is gone.
constexpr unsigned kSilentSamples = 10;

/// Codes after which no call will ever succeed again.
bool isEnd(nvml::Code code) {
  return code == nvml::kUninitialized || code == nvml::kDriverNotLoaded ||
         code == nvml::kGpuIsLost || code == nvml::kResetRequired || code == nvml::kVersionMismatch;
}

/// Codes that will not change while the process lives.
bool isRefusal(nvml::Code code) {
  return code == nvml::kNotSupported || code == nvml::kNoPermission ||
         code == nvml::kFunctionNotFound;
}

std::uint64_t wholeNumber(const nvml::FieldValue& field) {
  switch (static_cast<nvml::ValueType>(field.valueType)) {
    case nvml::ValueType::UnsignedInt: return field.value.ui;
    case nvml::ValueType::UnsignedLong: return field.value.ul;
    default: return field.value.ull;
  }
}

}  // namespace

GpuAsker thisProcess() {
  // PROC_PID_INIT_INO of the kernel: the namespace that every process of the machine is in.
  std::array<char, 64> link{};
  const ssize_t length = readlink("/proc/self/ns/pid", link.data(), link.size() - 1);
  return {getpid(), length > 0 && std::string_view(link.data()) == "pid:[4026531836]"};
}

GpuSampler::GpuSampler(const GpuLibrary& library, const std::vector<GpuDevice>& devices,
                       const GpuChoice& choice, const GpuAsker& asker)
    : m_library(library),
      m_f(library.functions()),
      m_device(devices[choice.device].handle),
      m_card(m_device),
      m_wholeCard(!choice.instance),
      m_name(devices[choice.device].name),
      m_asker(asker) {
  if (!choice.instance) return;
  const GpuInstance& instance = devices[choice.device].instances[*choice.instance];
  m_device = instance.handle;
  m_name = instance.name;
}

bool GpuSampler::answered(Question question, nvml::Code code, const char* what) {
  if (code == nvml::kSuccess) return m_anyAnswer = true;
  if (isRefusal(code)) m_unanswered |= 1U << question;
  if (isEnd(code) && m_lost.empty()) m_lost = fmt::format("{} ({})", m_library.wordsOf(code), what);
  return false;
}

template <class F, class... Arguments>
std::optional<double> GpuSampler::number(Question question, const char* what, F* function,
                                         Arguments... arguments) {
  if (!asks(question)) return std::nullopt;
  unsigned value = 0;
  if (!answered(question, GpuLibrary::call(function, arguments..., &value), what))
    return std::nullopt;
  return static_cast<double>(value);
}

Result<GpuValues> GpuSampler::sample(SteadyTime now) {
  m_anyAnswer = false;
  GpuValues values;
  readMemory(values);
  readReasons(values);
  values.smClockMhz = number(kSmClock, "SM clock", m_f.clock, m_card, nvml::kClockSm);
  values.memoryClockMhz =
      number(kMemoryClock, "memory clock", m_f.clock, m_card, nvml::kClockMemory);
  values.temperatureCelsius =
      number(kTemperature, "temperature", m_f.temperature, m_card, nvml::kSensorGpu);
  if (m_wholeCard) {
    readUtilization(values);
    readEngines(values);
    if (const auto milliwatts = number(kPower, "power", m_f.power, m_card))
      values.powerWatts = *milliwatts * 1e-3;
    if (const auto milliwatts = number(kPowerLimit, "power limit", m_f.powerLimit, m_card))
      values.powerLimitWatts = *milliwatts * 1e-3;
    readBus(values, now);
  }
  if (m_samples++ % kSamplesPerProcessList == 0) {
    readProcesses();
    if (m_wholeCard) readProcessShares();
  }
  values.otherProcesses = m_others;
  values.otherShare = m_otherShare;
  m_silent = m_anyAnswer ? 0 : m_silent + 1;
  if (m_lost.empty() && m_silent >= kSilentSamples) m_lost = "it has not answered for a second";
  if (!m_lost.empty()) return Error{m_name + ": " + m_lost};
  return values;
}

void GpuSampler::readUtilization(GpuValues& values) {
  if (!asks(kUtilization)) return;
  nvml::Utilization percent{};
  if (!answered(kUtilization, GpuLibrary::call(m_f.utilization, m_card, &percent), "utilisation"))
    return;
  values.utilisation = percent.gpu / 100.0;
  values.memoryUtilisation = percent.memory / 100.0;
}

void GpuSampler::readMemory(GpuValues& values) {
  if (!asks(kMemory)) return;
  nvml::Memory memory{};
  if (!answered(kMemory, GpuLibrary::call(m_f.memory, m_device, &memory), "memory")) return;
  values.memoryUsedBytes = static_cast<double>(memory.used);
  values.memoryTotalBytes = static_cast<double>(memory.total);
}

void GpuSampler::readReasons(GpuValues& values) {
  if (!asks(kReasons)) return;
  unsigned long long bits = 0;
  if (!answered(kReasons, GpuLibrary::call(m_f.clockReasons, m_card, &bits), "clock reasons"))
    return;
  values.throttleReasons = gpuThrottling(bits);
  values.throttledShare = values.throttleReasons == 0 ? 0 : 1;
}

void GpuSampler::readEngines(GpuValues& values) {
  unsigned period = 0;
  unsigned percent = 0;
  if (asks(kDecoder) &&
      answered(kDecoder, GpuLibrary::call(m_f.decoderUtilization, m_card, &percent, &period),
               "decoder"))
    values.decoderUtilisation = percent / 100.0;
  if (asks(kJpeg) &&
      answered(kJpeg, GpuLibrary::call(m_f.jpegUtilization, m_card, &percent, &period), "JPEG"))
    values.jpegUtilisation = percent / 100.0;
}

/// Counters where the device has them (Hopper on): nvmlDeviceGetPcieThroughput waits for 20 ms.
void GpuSampler::readBus(GpuValues& values, SteadyTime now) {
  if (asks(kBusCounters) && readBusCounters(values, now)) return;
  if (asks(kBusCounters)) return;
  if (const auto rate =
          number(kBusThroughput, "bus traffic", m_f.pcieThroughput, m_card, nvml::kPcieReceive))
    values.pcieRxBytesPerSecond = *rate * 1000;
  if (const auto rate =
          number(kBusThroughput, "bus traffic", m_f.pcieThroughput, m_card, nvml::kPcieTransmit))
    values.pcieTxBytesPerSecond = *rate * 1000;
}

bool GpuSampler::readBusCounters(GpuValues& values, SteadyTime now) {
  std::array<nvml::FieldValue, 2> fields{};
  fields[0].fieldId = nvml::kFieldPcieReceiveBytes;
  fields[1].fieldId = nvml::kFieldPcieTransmitBytes;
  // That the call succeeds says nothing: each field has a result of its own.
  const nvml::Code code =
      GpuLibrary::call(m_f.fieldValues, m_card, static_cast<int>(fields.size()), fields.data());
  if (code != nvml::kSuccess) return answered(kBusCounters, code, "bus counters");
  for (const nvml::FieldValue& field : fields) {
    if (answered(kBusCounters, field.result, "bus counters")) {
      if (field.valueType != static_cast<int>(nvml::ValueType::UnsignedInt)) continue;
      // One of 32 bits begins anew several times between two looks at a fast link.
      m_unanswered |= 1U << kBusCounters;
      return false;
    }
    // Older devices call a field that they do not know an invalid argument.
    if (field.result == nvml::kInvalidArgument) m_unanswered |= 1U << kBusCounters;
    return false;
  }
  const BusCounters later{now, wholeNumber(fields[0]), wholeNumber(fields[1])};
  const std::optional<BusCounters> earlier = m_bus;
  m_bus = later;
  if (!earlier || later.at <= earlier->at) return true;
  const double seconds = toSeconds(later.at - earlier->at);
  // A counter that has begun anew tells nothing this time.
  if (later.received >= earlier->received)
    values.pcieRxBytesPerSecond = static_cast<double>(later.received - earlier->received) / seconds;
  if (later.transmitted >= earlier->transmitted)
    values.pcieTxBytesPerSecond =
        static_cast<double>(later.transmitted - earlier->transmitted) / seconds;
  return true;
}

void GpuSampler::readProcesses() {
  m_others.reset();
  if (!m_asker.seesAllProcesses || !asks(kProcesses)) return;
  std::vector<unsigned> pids;
  if (!addProcesses(m_f.computeProcesses, pids)) return;
  // A device without graphics says so; its compute processes are all there are.
  (void)addProcesses(m_f.graphicsProcesses, pids);
  std::ranges::sort(pids);
  pids.erase(std::ranges::unique(pids).begin(), pids.end());
  std::erase(pids, static_cast<unsigned>(m_asker.pid));
  m_others = static_cast<double>(pids.size());
}

void GpuSampler::readProcessShares() {
  m_otherShare.reset();
  if (!m_asker.seesAllProcesses || !asks(kProcessShares)) return;
  std::vector<nvml::ProcessUtilization> shares(128);
  auto count = static_cast<unsigned>(shares.size());
  const bool first = !m_sharesUntil;
  unsigned long long until = m_sharesUntil.value_or(0);
  const nvml::Code code =
      GpuLibrary::call(m_f.processUtilization, m_card, shares.data(), &count, until);
  // Nobody's kernels ran since the last time.
  if (code == nvml::kNotFound) {
    m_otherShare = 0;
    m_sharesUntil = until;
    return;
  }
  // More than there is room for: nothing is told this time.
  if (code == nvml::kInsufficientSize || !answered(kProcessShares, code, "processes' shares"))
    return;
  shares.resize(std::min<std::size_t>(count, shares.size()));
  // The newest of each process.
  std::map<unsigned, nvml::ProcessUtilization> newest;
  for (const nvml::ProcessUtilization& share : shares) {
    // Drivers have been seen to leave rows that mean nothing among the others.
    if (share.pid == 0 || share.sm > 100 || share.timestamp <= m_sharesUntil.value_or(0)) continue;
    until = std::max(until, share.timestamp);
    nvml::ProcessUtilization& known = newest[share.pid];
    if (share.timestamp >= known.timestamp) known = share;
  }
  m_sharesUntil = until;
  // What the driver had kept from before the sampling.
  if (first) return;
  newest.erase(static_cast<unsigned>(m_asker.pid));
  double percent = 0;
  for (const auto& [pid, share] : newest) percent += share.sm;
  m_otherShare = std::min(percent / 100, 1.0);
}

bool GpuSampler::addProcesses(nvml::Code (*function)(nvml::Device, unsigned*, nvml::ProcessInfo*),
                              std::vector<unsigned>& pids) {
  std::vector<nvml::ProcessInfo> processes(32);
  nvml::Code code = nvml::kInsufficientSize;
  unsigned count = 0;
  // There may be more than there is room for, and yet more the next time.
  for (int tries = 0; tries < 3 && code == nvml::kInsufficientSize; ++tries) {
    count = static_cast<unsigned>(processes.size());
    code = GpuLibrary::call(function, m_device, &count, processes.data());
    if (code == nvml::kInsufficientSize) processes.resize(count + 8);
  }
  if (code == nvml::kSuccess) {
    for (std::size_t i = 0; i < std::min<std::size_t>(count, processes.size()); ++i)
      pids.push_back(processes[i].pid);
    return true;
  }
  if (isEnd(code)) (void)answered(kProcesses, code, "processes");
  return false;
}

}  // namespace millrace
