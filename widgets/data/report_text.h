// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/inspect/report/data_report.h"

namespace millrace {

// A report on data in words. Every figure is one of the report.

/// "Every one of the 1 204 samples was examined.", and how long it took.
QString examinedText(const DataReport& report);
/// "Cannot be decoded": the title of a list.
QString shownFinding(Finding finding);
/// "12 samples cannot be decoded".
QString shownFinding(const ReportedFinding& finding);
/// What to do about it; a sentence.
QString remedyOf(Finding finding);
/// The facts of a set as a table in HTML.
QString factsHtml(const SetReport& set);
/// "Mean 0.485, 0.456, 0.406; deviation 0.229, 0.224, 0.225"; empty if there are none.
QString shownChannels(const SetReport& set);

}  // namespace millrace
