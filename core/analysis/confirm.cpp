// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "core/analysis/differential.h"
#include "core/analysis/limit_parts.h"

namespace millrace {

namespace {

/// Shares of a sample's time by kind of work, from the cut runs; of the loader without the step.
struct Cuts {
  double read = 0;
  double decode = 0;
  double augment = 0;
};

class Confirmation {
 public:
  Confirmation(LimitFinding finding, const std::vector<ProbeResult>& probes)
      : m_finding(std::move(finding)), m_probes(probes) {}

  LimitFinding take() {
    if (hidesReading() && readsMostly()) return std::move(m_finding);
    if (m_finding.confidence == Confidence::CannotTell) return std::move(m_finding);
    switch (m_finding.limit.kind) {
      case LimitKind::Step: byStep(); break;
      case LimitKind::Read:
      case LimitKind::ColdStorage: byMemory(); break;
      case LimitKind::Decode:
      case LimitKind::Augmentation: byCuts(); break;
      default: byAdvice(); break;
    }
    return std::move(m_finding);
  }

 private:
  const ProbeResult* at(Probe probe) const { return probeNamed(m_probes, probe); }
  std::optional<RateRatio> against(Probe probe) const {
    return ratioOf(at(probe), at(Probe::Baseline));
  }

  void add(std::string metric, double value, std::string meaning) {
    m_finding.limit.evidence.push_back({std::move(metric), value, std::move(meaning)});
  }

  void confirmed() {
    m_finding.confidence = Confidence::Yes;
    m_finding.decides.clear();
  }

  /// Leaves the finding open because a run contradicts the counters.
  void contradicted(const std::string& decides) {
    m_finding.confidence = Confidence::CannotTell;
    m_finding.evidence = std::exchange(m_finding.limit.evidence, {});
    m_finding.also.insert(m_finding.also.begin(), std::move(m_finding.limit));
    m_finding.limit = {};
    m_finding.decides = decides;
  }

  /// Whether reading may be the limit although the queues show something else, or nothing. If
  /// batches are short, waking a thread takes longer than making one, and the queues show only
  /// that.
  bool hidesReading() const {
    if (m_finding.confidence == Confidence::CannotTell) return true;
    switch (m_finding.limit.kind) {
      case LimitKind::QueueTooShort:
      case LimitKind::HeavyTail:
      case LimitKind::Batching:
      case LimitKind::PerRecord:
      case LimitKind::Work:
      case LimitKind::None: return true;
      default: return false;
    }
  }

  /// Makes reading the limit if samples from memory come at least twice as fast, which means that
  /// at least half of a batch's time is fetching.
  bool readsMostly() {
    const auto ratio = against(Probe::FromMemory);
    const ProbeResult* baseline = at(Probe::Baseline);
    if (!ratio || ratio->least < 2 || baseline->counters.stages.empty()) return false;
    const std::vector<RunCounters::Node>& nodes = baseline->counters.stages.front().nodes;
    if (nodes.empty() || nodes.front().work != WorkKind::Read) return false;
    const bool named =
        m_finding.confidence != Confidence::CannotTell && m_finding.limit.kind != LimitKind::None;
    if (named) m_finding.also.insert(m_finding.also.begin(), std::move(m_finding.limit));
    m_finding.limit = {LimitKind::Read, nodes.front().id, 1 - 1 / ratio->mean, {}};
    m_finding.evidence.clear();
    std::erase_if(m_finding.also, [](const LimitCause& cause) {
      return cause.kind == LimitKind::Read || cause.kind == LimitKind::ColdStorage;
    });
    byReaders();
    add("from_memory_ratio", ratio->mean, fromMemory(ratio->mean));
    confirmed();
    return true;
  }

  static std::string fromMemory(double ratio) {
    return "With the encoded samples in memory the pipeline delivers " + times(ratio) +
           " as many samples.";
  }

  static std::string times(double ratio) { return fmt::format("{:.2f} times", ratio); }

  void byStep() {
    const auto ratio = against(Probe::WithoutStep);
    if (!ratio) return;
    add("without_step_ratio", ratio->mean,
        "Without the step the loader delivers " + times(ratio->mean) + " as many samples.");
    if (ratio->least >= 1 + kWorthShare) confirmed();
    if (ratio->mean < 1) contradicted(kMoreBlocks);
  }

  /// Why reading takes long: each read waits for an answer, or storage delivers no more.
  void byReaders() {
    const auto ratio = gainsOf(m_probes).moreReaders;
    if (!ratio) return;
    const bool more = ratio->mean >= kMoreFromReaders;
    add("more_readers_ratio", ratio->mean,
        fmt::format("Twice the threads read {} as much: {}.", times(ratio->mean),
                    more ? "each read waits for an answer, and more reads can wait at once"
                         : "storage delivers no more, whatever the number of readers"));
  }

  void byMemory() {
    byReaders();
    const auto ratio = against(Probe::FromMemory);
    if (!ratio) return;
    add("from_memory_ratio", ratio->mean, fromMemory(ratio->mean));
    const double expected = 1 / (1 - std::min(0.9, m_finding.limit.share)) - 1;
    if (ratio->least >= 1 + std::max(kWorthShare, expected / 2)) confirmed();
    if (ratio->mean < 1 + kWorthShare) contradicted(kMoreBlocks);
  }

  /// The loader alone: the fastest of the runs that contain all of it and no step.
  const ProbeResult* loader() const {
    if (const ProbeResult* cut = at(Probe::ToBatch)) return cut;
    if (const ProbeResult* free = at(Probe::WithoutStep)) return free;
    return at(Probe::Baseline);
  }

  std::optional<Cuts> cuts() const {
    const auto source = ratioOf(at(Probe::SourceAlone), loader());
    const auto decode = ratioOf(at(Probe::ToDecode), loader());
    if (!source || !decode) return std::nullopt;
    Cuts cuts;
    cuts.read = 1 / source->mean;
    cuts.decode = 1 / decode->mean - cuts.read;
    cuts.augment = 1 - 1 / decode->mean;
    return cuts;
  }

  void byCuts() {
    const std::optional<Cuts> parts = cuts();
    if (!parts) return;
    const bool decodes = m_finding.limit.kind == LimitKind::Decode;
    const double own = decodes ? parts->decode : parts->augment;
    const double other = decodes ? parts->augment : parts->decode;
    add("cut_share", own,
        fmt::format("Runs with parts left out show that {} takes {} of a sample's time, {} {} and "
                    "reading with batching {}.",
                    decodes ? "decoding" : "the work after decoding",
                    percentText(std::max(0.0, own)), decodes ? "the work after it" : "decoding",
                    percentText(std::max(0.0, other)), percentText(parts->read)));
    if (own > other + kCloseShares && own > parts->read + kCloseShares) confirmed();
    if (own < other - kCloseShares) contradicted(kMoreBlocks);
  }

  /// No part can be left out for these causes; the gain of the applied advice decides.
  void byAdvice() {
    const auto ratio = ratioOf(at(Probe::Advised), at(Probe::BaselineAgain));
    if (!ratio) return;
    add("advised_ratio", ratio->mean,
        "With the advice applied the pipeline delivers " + times(ratio->mean) +
            " as many samples.");
    if (ratio->least >= 1 + kWorthShare) confirmed();
    if (ratio->mean < 1) contradicted(kMoreBlocks);
  }

  LimitFinding m_finding;
  const std::vector<ProbeResult>& m_probes;
};

}  // namespace

LimitFinding confirm(LimitFinding finding, const std::vector<ProbeResult>& probes) {
  finding = Confirmation(std::move(finding), probes).take();
  // The diagnosis itself was just run, so it cannot be what decides. More blocks may settle a
  // likely finding; for an open one no further measurement is known.
  if (finding.decides.starts_with(kDiagnose))
    finding.decides = finding.confidence == Confidence::Likely ? kMoreBlocks : "";
  return finding;
}

}  // namespace millrace
