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

/// An error in a query and its position.
struct QueryMistake {
  std::size_t at = 0;      ///< byte offset in the query
  std::size_t length = 1;  ///< in bytes; the position may be one past the end
  std::string message;     ///< what was found and what was expected
};

/// A query as SQL: a condition over the tables of RunStore::list, in which all user text is bound
/// as parameters. The empty query matches every run.
struct ParsedQuery {
  SqlPiece condition;
  std::optional<QueryMistake> mistake;
};

/// Parses a query. The same grammar is used by the command line and the workbench (see the README):
///
///   query      := or; or := and {"or" and}; and := not {"and" not}
///   not        := "not" not | "(" or ")" | term
///   term       := FLAG | NAME operator value
///   operator   := "=" "==" ":" "!=" "<>" "<" "<=" ">" ">=" "~" "!~"
///   value      := number [unit] | date | number unit "ago" | word | quoted text
///
/// A comparison with a figure or setting that a run does not have is false, so its `not` is true.
/// `now` is the reference for relative dates. Any text is safe.
ParsedQuery parseQuery(std::string_view text, const QueryVocabulary& vocabulary, WallTime now);

/// The message, then the query with the position marked underneath, cut to 80 columns around it,
/// with a newline at the end. Bytes that are not UTF-8 print as U+FFFD, control characters as
/// spaces.
std::string mistakeText(std::string_view query, const QueryMistake& mistake);

/// A key to sort a list by.
struct SortKey {
  QueryField field;
  bool descending = false;
};
/// Parses "workers.count,-samples_per_second"; a minus means largest first.
Result<std::vector<SortKey>> parseSort(std::string_view text, const QueryVocabulary& vocabulary);
/// Parses "number,name,workers.count".
Result<std::vector<QueryField>> parseColumns(std::string_view text,
                                             const QueryVocabulary& vocabulary);

}  // namespace millrace
