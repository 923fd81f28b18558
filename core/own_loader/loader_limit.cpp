// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_loader/loader_limit.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/own_loader/loader_lines.h"

namespace millrace {

namespace {

constexpr double kKeepsUp = 0.05;     // the program waits no longer than this
constexpr double kLongWaits = 0.25;   // with idle workers
constexpr double kManyStarts = 0.25;  // so much for the first batches of epochs
constexpr double kBusy = 0.85;        // of workers, and of cores
constexpr double kMostlyEmpty = 0.5;  // of the queue
constexpr double kManyOthers = 0.2;   // of the cores, by other programs
constexpr double kAsMuch = 0.05;      // steps whose shares differ less than this take as much

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

class Judge {
 public:
  explicit Judge(const LoaderLoad& load) : m_load(load) {
    const auto share = &std::pair<std::string, double>::second;
    m_steps = load.steps;
    std::ranges::sort(m_steps, std::greater<>(), share);
  }

  LimitFinding finding() {
    if (m_load.stepped && m_load.waitShare < kKeepsUp) return step(Confidence::Yes);
    if (m_load.startShare > kManyStarts)
      return likely({LimitKind::EpochStart,
                     "",
                     m_load.startShare,
                     {{"", m_load.startShare,
                       fmt::format("{} of the time went into waiting for first batches",
                                   percent(m_load.startShare))}}});
    if (m_steps.empty()) return unknown();
    if (m_load.othersShare >= kManyOthers &&
        m_load.coresUsed + m_load.othersShare * m_load.coresUsable > kBusy * m_load.coresUsable)
      return others();
    if (m_load.coresUsed > kBusy * m_load.coresUsable) return processor();
    if (m_load.what == kTfData) return workersTooFew(fmt::format("its stages used {}", cores()));
    if (m_load.workers == 0)
      return workersTooFew(
          fmt::format("the program itself makes all batches and used {}", cores()));
    // In the time of the starts there are no workers.
    if (m_load.workersBusy && *m_load.workersBusy > kBusy * (1 - m_load.startShare))
      return workersTooFew(fmt::format("they were busy {} of the time, and the loader used {}",
                                       percent(*m_load.workersBusy), cores()));
    if (m_load.stepped && m_load.waitShare < kLongWaits) return step(Confidence::Likely);
    return m_load.workersBusy ? passingOn() : unknown();
  }

 private:
  std::string cores() const {
    return fmt::format("{:.1f} of {:.3g} cores", m_load.coresUsed, m_load.coresUsable);
  }

  LimitEvidence costliest() const {
    const auto& [name, share] = m_steps.front();
    return {"", share, fmt::format("the costliest step is {} ({})", name, percent(share))};
  }

  static LimitFinding found(Confidence confidence, LimitCause cause) {
    LimitFinding finding;
    finding.confidence = confidence;
    finding.limit = std::move(cause);
    return finding;
  }
  static LimitFinding likely(LimitCause cause) {
    return found(Confidence::Likely, std::move(cause));
  }

  static LimitFinding unknown() {
    LimitFinding finding;
    finding.evidence = {{"", 0, "the steps inside the loader cannot be seen"}};
    finding.decides = "a loader whose steps are seen, such as a PyTorch DataLoader";
    return finding;
  }

  LimitFinding step(Confidence confidence) const {
    return found(confidence, {LimitKind::Step,
                              "",
                              1 - m_load.waitShare,
                              {{"", m_load.waitShare,
                                fmt::format("the program waited for batches only {} of the time",
                                            percent(m_load.waitShare))}}});
  }

  LimitFinding others() const {
    return likely({LimitKind::OtherProcess,
                   "",
                   m_load.othersShare,
                   {{"other_busy_share", m_load.othersShare,
                     fmt::format("they took {} of the cores, and none was idle",
                                 percent(m_load.othersShare))}}});
  }

  /// Without an idle core, the costliest steps are the limit.
  LimitFinding processor() const {
    const auto& [name, share] = m_steps.front();
    LimitCause cause{kindOfStep(name),
                     name,
                     share,
                     {{"", m_load.coresUsed, "the loader used " + cores()}, costliest()}};
    for (const auto& [other, othersShare] : m_steps)
      if (other != name && share - othersShare < kAsMuch) cause.with.push_back(other);
    if (!cause.with.empty()) cause.kind = LimitKind::Work;
    return likely(std::move(cause));
  }

  LimitFinding workersTooFew(std::string why) const {
    return likely({LimitKind::WorkersTooFew,
                   "",
                   m_load.workersBusy.value_or(1),
                   {{"", m_load.coresUsed, std::move(why)}, costliest()}});
  }

  /// On which side of the queue the time goes.
  LimitEvidence queue() const {
    const double empty = *m_load.queueEmpty;
    return {"queue.empty_share", empty,
            empty > kMostlyEmpty
                ? fmt::format("no batch lay in the queue for {} of them: the workers' side is slow",
                              percent(empty))
                : fmt::format("a batch lay in the queue for {} of them: taking it over is slow",
                              percent(1 - empty))};
  }

  LimitFinding passingOn() const {
    LimitCause cause{LimitKind::PassingOn,
                     "",
                     1 - *m_load.workersBusy,
                     {{"", *m_load.workersBusy,
                       fmt::format("the program waited {} of the time, although the workers were "
                                   "busy only {}",
                                   percent(m_load.waitShare), percent(*m_load.workersBusy))}}};
    if (m_load.queueEmpty) cause.evidence.push_back(queue());
    return likely(std::move(cause));
  }

  const LoaderLoad& m_load;
  std::vector<std::pair<std::string, double>> m_steps;  ///< the costliest first
};

}  // namespace

LimitKind kindOfStep(const std::string& step) {
  if (step.find("decode") != std::string::npos) return LimitKind::Decode;
  if (step.starts_with("open") || step.starts_with("read")) return LimitKind::Read;
  if (step == "collate" || step == "batch" || step == "padded batch") return LimitKind::Batching;
  return LimitKind::Augmentation;
}

LimitFinding findLoaderLimit(const LoaderLoad& load) { return Judge(load).finding(); }

std::string stepOf(const LimitFinding& finding, const LoaderLoad& load) {
  if (finding.confidence == Confidence::CannotTell) return {};
  if (finding.limit.kind != LimitKind::WorkersTooFew || load.steps.empty())
    return finding.limit.node;
  return std::ranges::max_element(load.steps, {}, &std::pair<std::string, double>::second)->first;
}

std::string lineOf(const LimitFinding& finding) {
  if (finding.confidence == Confidence::CannotTell) return {};
  std::vector<std::string> evidence;
  for (const LimitEvidence& each : finding.limit.evidence) evidence.push_back(each.meaning);
  return titleOf(finding.limit) + ": " + join(evidence, "; ");
}

std::string lineOf(const LoaderAdvice& advice) {
  std::vector<std::string> words;
  for (const auto& [name, value] : advice.set) words.push_back(fmt::format("{}={}", name, value));
  return words.empty() ? advice.text : join(words, ", ") + ": " + advice.text;
}

std::vector<LoaderAdvice> loaderAdvice(const LimitFinding& finding, const LoaderLoad& load) {
  if (finding.confidence == Confidence::CannotTell) return {};
  const bool dataLoader = load.what == kDataLoader;
  std::vector<LoaderAdvice> import;
  if (load.what != kTfData)
    import.push_back({{}, "`millrace import` writes the loader as a pipeline"});
  const auto first = [&](std::vector<LoaderAdvice> advice) {
    advice.insert(advice.end(), import.begin(), import.end());
    return advice;
  };
  switch (finding.limit.kind) {
    case LimitKind::Step: return {{{}, "nothing in the loader: only a faster step helps"}};
    case LimitKind::OtherProcess: return {{{}, "end the other programs, then measure again"}};
    case LimitKind::EpochStart:
      if (!dataLoader || load.workers == 0) return {{{}, "do less before the first batch"}};
      return {{{{"persistent_workers", "true"}}, "the workers stay from epoch to epoch"},
              {{}, "import less in the file: each worker imports it again"}};
    case LimitKind::WorkersTooFew: {
      if (load.what == kTfData)
        return {{{{"parallel_calls", "auto"}, {"prefetch", "auto"}},
                 "more calls at a time use the idle cores, also while the program takes a batch"}};
      if (!dataLoader) return import;
      const auto most = static_cast<std::uint64_t>(std::max(1.0, std::floor(load.coresUsable)));
      const std::uint64_t more =
          load.workers == 0 ? most : std::max(load.workers + 1, std::min(2 * load.workers, most));
      return first({{{{"num_workers", std::to_string(more)}}, "more workers use the idle cores"}});
    }
    case LimitKind::PassingOn:
      return first({{{}, "let each sample be a few large tensors instead of many small objects"}});
    default:
      return first({{{}, fmt::format("make {} cheaper, or use more cores", finding.limit.node)}});
  }
}

}  // namespace millrace
