// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/data_facts.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/thread_name.h"
#include "core/base/version.h"
#include "core/monitor/environment.h"
#include "core/monitor/fingerprint.h"
#include "core/monitor/page_cache.h"

namespace millrace {

PageCacheReport pageCacheOf(const Source& source) {
  // Only the known samples: in a set that is still being scanned, the rest is cached as much as the
  // beginning, or less.
  return probePageCache(source.atLeast(1), [&](std::size_t i) {
    return std::filesystem::path(source.file(static_cast<std::uint32_t>(i)));
  });
}

Facts pageCacheFacts(const Source& source) {
  const PageCacheReport report = pageCacheOf(source);
  Facts facts = {{"page_cache", std::string(nameOf(report.state))}};
  if (report.residentShare)
    facts.emplace_back("page_cache_resident_share", fmt::format("{:.2f}", *report.residentShare));
  return facts;
}

Facts machineFacts(const Source& source) {
  Facts facts = environmentFacts(readEnvironment());
  facts.emplace_back("engine_version", engineVersion());
  if (source.listed()) facts.emplace_back("data_samples", std::to_string(source.size()));
  for (auto& fact : pageCacheFacts(source)) facts.push_back(std::move(fact));
  return facts;
}

Facts measureFacts(const MeasureSettings& settings, bool fused) {
  std::string span = "until stopped";
  if (settings.seconds) span = fmt::format("{} s", *settings.seconds);
  if (settings.batches) span = fmt::format("{} batches", *settings.batches);
  if (settings.epochs) span = fmt::format("{} epochs", *settings.epochs);
  if (settings.startEpoch > 0 || settings.startBatch > 0)
    span += fmt::format(" from {}:{}", settings.startEpoch, settings.startBatch);
  return {{"measured_span", span},
          {"warmup_seconds", fmt::format("{}", settings.warmupSeconds)},
          {"draws", settings.noRandom ? "centred" : "random"},
          {"fusing", fused ? "on" : "off"}};
}

std::optional<MeasureRecord> measureOf(const Facts& facts) {
  const auto fact = [&facts](std::string_view key) -> std::string {
    const auto found = std::ranges::find(facts, key, &Facts::value_type::first);
    return found == facts.end() ? std::string() : found->second;
  };
  MeasureRecord record;
  MeasureSettings& settings = record.settings;
  settings.seconds.reset();
  std::istringstream span(fact("measured_span"));
  std::string amount;
  std::string unit;
  if (!(span >> amount >> unit)) return std::nullopt;
  const double value = std::strtod(amount.c_str(), nullptr);
  if (unit == "s") settings.seconds = value;
  if (unit == "batches") settings.batches = static_cast<std::uint64_t>(value);
  if (unit == "epochs") settings.epochs = static_cast<std::uint64_t>(value);
  char colon = 0;
  if (std::string from; span >> from) span >> settings.startEpoch >> colon >> settings.startBatch;
  const std::string warmup = fact("warmup_seconds");
  if (warmup.empty()) return std::nullopt;
  settings.warmupSeconds = std::strtod(warmup.c_str(), nullptr);
  settings.noRandom = fact("draws") == "centred";
  record.fused = fact("fusing") != "off";
  return record;
}

FingerprintJob::FingerprintJob(std::shared_ptr<const Source> source)
    : m_source(std::move(source)), m_thread([this] { loop(); }) {}

FingerprintJob::~FingerprintJob() {
  m_stop = true;
  if (m_thread.joinable()) m_thread.join();
}

void FingerprintJob::loop() {
  setThreadName("fingerprint");
  const sched_param none{};
  pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);
  while (!m_source->listed()) {
    if (m_stop) return m_done.store(true, std::memory_order_release);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::string last;
  const auto sampleAt = [this, &last](std::uint64_t i) {
    const auto index = static_cast<std::uint32_t>(i);
    std::string file = m_source->file(index);
    // A file with several samples counts its bytes once.
    if (!file.empty() && file == last) return ListedSample{m_source->name(index), 0};
    last = std::move(file);
    return ListedSample{m_source->name(index), sizeOfFile(last)};
  };
  const auto print = fingerprintDataset(m_source->size(), sampleAt, m_stop);
  if (print) m_text = print->text();
  m_done.store(true, std::memory_order_release);
}

Facts FingerprintJob::take() {
  // The run has ended, so the cores are idle; a million files take about a second.
  const auto waits = [this] {
    return m_source->listed() && !m_done.load(std::memory_order_acquire);
  };
  for (int i = 0; i < 30 && waits(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  m_stop = true;
  m_thread.join();
  if (m_text.empty()) return {};
  return {{"data_fingerprint", m_text}};
}

}  // namespace millrace
