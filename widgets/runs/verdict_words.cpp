// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/verdict_words.h"

#include <algorithm>

#include "widgets/common/strings.h"

namespace millrace {

namespace {

QString tooFewWords(const Verdict& verdict) {
  if (verdict.onlyDisturbedB) return QString("disturbed (%1 of %1)").arg(verdict.repeatsB);
  if (verdict.onlyDisturbedA) return QString("baseline disturbed (%1 of %1)").arg(verdict.repeatsA);
  const std::size_t counted = std::min(verdict.repeatsA, verdict.repeatsB);
  const std::size_t disturbedB = verdict.repeatsB == counted ? verdict.disturbedB : 0;
  if (disturbedB > 0)
    return QString("disturbed (%1 of %2)").arg(disturbedB).arg(counted + disturbedB);
  const std::size_t disturbedA = verdict.repeatsA == counted ? verdict.disturbedA : 0;
  if (disturbedA > 0)
    return QString("baseline disturbed (%1 of %2)").arg(disturbedA).arg(counted + disturbedA);
  return QString("too few (%1 of %2)")
      .arg(counted)
      .arg(verdict.how == MeasuredHow::Together ? kLeastBlocks : kLeastRepeats);
}

}  // namespace

QString shownVerdict(const Verdict& verdict) {
  switch (verdict.kind) {
    case VerdictKind::Same: return "no difference";
    case VerdictKind::TooFew: return tooFewWords(verdict);
    default: return toQt(nameOf(verdict.kind));
  }
}

}  // namespace millrace
