// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/query_field.h"
#include "core/store/run_record.h"

namespace millrace {

/// What is wrong with a query, and where.
struct QueryMistake {
  std::size_t at = 0;      ///< byte of the query's text
  std::size_t length = 1;  ///< bytes; the place may lie one behind the end
  std::string message;     ///< what was found and what was expected
};

/// A query as SQL: a condition over the tables of RunStore::list, every word of the person's bound
/// as a parameter. The empty query holds for every run.
struct ParsedQuery {
  SqlPiece condition;
  std::optional<QueryMistake> mistake;
};

/// Reads a query, the one grammar for the command line and the workbench (the room's README):
///
///   query      := or; or := and {"or" and}; and := not {"and" not}
///   not        := "not" not | "(" or ")" | term
///   term       := FLAG | NAME operator value
///   operator   := "=" "==" ":" "!=" "<>" "<" "<=" ">" ">=" "~" "!~"
///   value      := number [unit] | date | number unit "ago" | word | quoted text
///
/// A comparison with a figure or setting that a run does not have is false, so `not` of it is true.
/// `now` is what relative dates count from. Any text is answered, never trusted.
ParsedQuery parseQuery(std::string_view text, const QueryVocabulary& vocabulary, WallTime now);

/// The message, then the query with the place marked underneath, cut to 80 columns around it;
/// newline at the end. Bytes that are not UTF-8 print as U+FFFD, control characters as spaces.
std::string mistakeText(std::string_view query, const QueryMistake& mistake);

/// What a list is sorted by.
struct SortKey {
  QueryField field;
  bool descending = false;
};
/// "workers.count,-samples_per_second": names with a minus in front for the largest first.
Result<std::vector<SortKey>> parseSort(std::string_view text, const QueryVocabulary& vocabulary);
/// "number,name,workers.count".
Result<std::vector<QueryField>> parseColumns(std::string_view text,
                                             const QueryVocabulary& vocabulary);

}  // namespace millrace
