// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/events/results/diagnosis_summary.h"

namespace millrace {

/// The findings of `millrace diagnose`, from its result (docs/reference/command-line.md). Value.
struct DiagnosisReport {
  using Advised = DiagnosisSummary::Advised;
  struct Run {
    QString what;
    double samplesPerSecond = 0;
  };

  std::optional<double> samplesPerSecond;  ///< of the unmodified pipeline
  LimitFinding finding;                    ///< without figures: see the sentences below
  QStringList evidence;
  QStringList also;  ///< further causes, or the candidates if the limit is undetermined
  std::optional<StallSplit> stalls;
  std::vector<Advised> advice;
  std::vector<Run> runs;
  QStringList notes;  ///< how it was measured, and what was not
  QString runId;      ///< run that keeps the unmodified pipeline; may be empty
  bool whole = true;  ///< false: stopped or failed before the end

  /// "Likely limit: decoding in `decode`".
  QString headline() const;
};

/// "Likely limit: decoding in `decode`".
QString limitHeadline(const LimitFinding& limit);

/// From the `result` event's text. nullopt if nothing was measured.
std::optional<DiagnosisReport> diagnosisOf(const std::string& result);

}  // namespace millrace
