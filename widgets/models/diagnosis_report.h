// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include "core/analyse/advice.h"
#include "core/analyse/differential.h"
#include "core/analyse/what_if.h"

namespace millrace {

/// What `millrace diagnose` found, as its result says it (CONTRACT §9). Value.
struct DiagnosisReport {
  struct Advised {
    Advice advice;
    std::optional<RatePrediction> predicted;
    std::optional<RateRatio> measured;  ///< with over without, where it was tried
  };
  struct Run {
    QString what;
    double samplesPerSecond = 0;
  };

  std::optional<double> samplesPerSecond;  ///< as it is
  LimitFinding finding;                    ///< without its figures: those are the sentences below
  QStringList evidence;
  QStringList also;  ///< further causes, or the candidates where it cannot be told
  std::optional<StallSplit> stalls;
  std::vector<Advised> advice;
  std::vector<Run> runs;
  QStringList notes;  ///< how it was measured, and what is missing
  QString runId;      ///< that keeps the pipeline as it is; empty: none
  bool whole = true;  ///< false: it was stopped, or failed, before the end

  /// "Likely limit: decoding in `decode`".
  QString headline() const;
};

/// "Likely limit: decoding in `decode`", of the `limit` of a result.
QString limitHeadline(const QJsonObject& limit);

/// Nothing where nothing was measured.
std::optional<DiagnosisReport> diagnosisOf(const QJsonObject& result);

}  // namespace millrace
