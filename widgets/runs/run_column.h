// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/spec/catalog.h"
#include "core/store/run_query.h"

namespace millrace {

/// A column of the table of runs: one of its own (the rate with its interval, the change and the
/// verdict against the baseline, tags), or any name that a query may use. Value.
struct RunColumn {
  enum class Kind { Number, Name, Tags, Notes, Rate, Change, Verdict, Field };
  QString id;     ///< as in a query; "change" and "verdict" for those two
  QString title;  ///< of the header
  QString help;
  Kind kind = Kind::Field;
  QueryField field;  ///< what it is sorted by; of Change and Verdict the rate
  bool isNumber = false;

  bool isEditable() const {
    return kind == Kind::Name || kind == Kind::Tags || kind == Kind::Notes;
  }
};

/// Nothing for a name that no run has.
std::optional<RunColumn> runColumn(const QString& id, const QueryVocabulary& vocabulary,
                                   const Catalog& catalog);
/// Every id that can be a column, in the order in which they are offered.
QStringList runColumnIds(const QueryVocabulary& vocabulary);

/// A setting's name for a person, "Workers › Threads"; what the catalog does not know stays.
QString shownSetting(const std::string& node, const std::string& param, const Catalog& catalog);
/// A figure in its unit, "2.48 s", "612 MB", "37 %".
QString shownFigure(double value, std::string_view unit);
/// A cell as a person reads it; empty where the run has no such value.
QString shownCell(const QueryField& field, const SqlValue& value);
/// "20 Nov 10:12"; the year where it is another one than `now`'s. Local time.
QString shownTime(WallTime time, WallTime now);

}  // namespace millrace
