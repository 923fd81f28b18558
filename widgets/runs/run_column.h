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

/// A column of the table of runs: a special one (the rate with its interval, change and verdict
/// against the baseline, tags), or any name that a query may use. Value.
struct RunColumn {
  enum class Kind { Number, Name, Tags, Notes, State, Rate, Change, Verdict, Field };
  QString id;     ///< as in a query, or "change" or "verdict"
  QString title;  ///< the header's title
  QString help;
  Kind kind = Kind::Field;
  QueryField field;  ///< the sort key; the rate for Change and Verdict
  bool isNumber = false;

  bool isEditable() const {
    return kind == Kind::Name || kind == Kind::Tags || kind == Kind::Notes;
  }
};

/// Stands for the settings that differ among the listed runs, at most this many.
inline constexpr const char* kVariedSettings = "varied_settings";
inline constexpr qsizetype kMostVariedColumns = 4;

/// nullopt for a name that no run has.
std::optional<RunColumn> runColumn(const QString& id, const QueryVocabulary& vocabulary,
                                   const Catalog& catalog);
/// Every id that can be a column, in the order in which the columns are offered.
QStringList runColumnIds(const QueryVocabulary& vocabulary);

/// A setting's display name, "Workers › Threads"; a name that the catalog does not know is
/// unchanged.
QString shownSetting(const std::string& node, const std::string& param, const Catalog& catalog);
/// A figure in its unit, "2.48 s", "612 MB", "37 %".
QString shownFigure(double value, std::string_view unit);
/// A cell's display text; empty if the run has no such value.
QString shownCell(const QueryField& field, const SqlValue& value);
/// A list setting, which the store keeps as JSON, as its items; of files only their names. Empty if
/// it is not a list.
QString shownList(const std::string& json);
/// "20 Nov 10:12"; with the year if it differs from that of `now`. Local time.
QString shownTime(WallTime time, WallTime now);

}  // namespace millrace
