// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/analysis/cause_text.h"
#include "core/analysis/limit_parts.h"
#include "core/base/text/text.h"

namespace millrace {

namespace {

struct KindText {
  LimitKind kind;
  std::string_view name;
  std::string_view title;  ///< `{}` is replaced by the node
};

constexpr std::array<KindText, 19> kKinds = {
    {{LimitKind::Decode, "decode", "decoding in `{}`"},
     {LimitKind::Augmentation, "augmentation", "work in `{}`"},
     {LimitKind::Work, "work", "the work in {}"},
     {LimitKind::Read, "read", "reading in `{}`"},
     {LimitKind::ColdStorage, "cold_storage", "storage: `{}` reads data that is not in memory yet"},
     {LimitKind::WorkersTooFew, "workers_too_few", "too few workers"},
     {LimitKind::WorkersTooMany, "workers_too_many", "more workers than cores"},
     {LimitKind::Batching, "batching", "making batches in `{}`"},
     {LimitKind::HeavyTail, "heavy_tail", "slow samples that hold up the others"},
     {LimitKind::PerRecord, "per_record", "overhead for each of many very small samples"},
     {LimitKind::QueueTooShort, "queue_too_short", "a queue too short to even out slow batches"},
     {LimitKind::Transfer, "transfer", "copying batches to the device"},
     {LimitKind::Device, "device", "work on the device"},
     {LimitKind::Step, "step", "the training step: the loader keeps up"},
     {LimitKind::Failures, "failures", "samples that fail"},
     {LimitKind::OtherProcess, "other_process", "other processes on this machine"},
     {LimitKind::EpochStart, "epoch_start", "the start of each epoch"},
     {LimitKind::PassingOn, "passing_on", "passing batches from the workers to the program"},
     {LimitKind::None, "none", "nothing in the loader, where no change would gain 3 %"}}};

const KindText& textOf(LimitKind kind) {
  for (const KindText& text : kKinds)
    if (text.kind == kind) return text;
  return kKinds.back();
}

/// What would tell the nodes of Work apart.
std::string apart(const LimitFinding& finding) {
  if (finding.limit.kind != LimitKind::Work || finding.decides.empty()) return {};
  return "; what would tell them apart: " + finding.decides;
}

}  // namespace

std::string_view nameOf(LimitKind kind) { return textOf(kind).name; }

std::string_view nameOf(Confidence confidence) {
  switch (confidence) {
    case Confidence::Yes: return "yes";
    case Confidence::Likely: return "likely";
    case Confidence::CannotTell: break;
  }
  return "cannot tell";
}

std::string titleOf(const LimitCause& cause) {
  std::string title(textOf(cause.kind).title);
  if (cause.kind == LimitKind::Work) {
    std::vector<std::string> nodes = {"`" + cause.node + "`"};
    for (const std::string& node : cause.with) nodes.push_back("`" + node + "`");
    return title.replace(title.find("{}"), 2, joinWords(nodes));
  }
  if (const std::size_t place = title.find("{}"); place != std::string::npos)
    title.replace(place, 2, cause.node);
  return title;
}

std::string causeText(const LimitCause& cause) {
  if (cause.evidence.empty()) return titleOf(cause);
  const std::string& why = cause.evidence.front().meaning;
  const bool namesNode = !cause.node.empty() && why.starts_with("`" + cause.node + "`");
  return namesNode ? why : titleOf(cause) + ": " + why;
}

std::string limitOf(const LimitFinding& finding) {
  switch (finding.confidence) {
    case Confidence::Yes: return "limit: " + titleOf(finding.limit);
    case Confidence::Likely: return "likely limit: " + titleOf(finding.limit);
    case Confidence::CannotTell: break;
  }
  return "the limit could not be determined";
}

std::string headlineOf(const LimitFinding& finding) {
  const std::string limit = limitOf(finding);
  if (finding.confidence == Confidence::Likely) return limit + apart(finding);
  const bool isOpen = finding.confidence == Confidence::CannotTell && !finding.decides.empty();
  return isOpen ? limit + "; what would decide: " + finding.decides : limit;
}

}  // namespace millrace
