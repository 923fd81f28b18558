// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/sql_piece.h"

namespace millrace {

/// A setting that a query may use.
struct KnownSetting {
  std::string name;  ///< NODE.PARAM
  std::string unit;  ///< "bytes", "seconds", ...; empty if not known
  bool number = false;
  bool flag = false;
  bool text = false;
};

/// The names that depend on the pipelines: settings in the store, and those of the node kinds that
/// the caller knows. `workers_2.count` is known if `workers.count` is.
using QueryVocabulary = std::vector<KnownSetting>;

enum class FieldType : std::uint8_t { Number, Text, Flag, Time, Tags, Setting };

/// The meaning of a name in a query, a sort key or a column.
struct QueryField {
  std::string name;
  FieldType type = FieldType::Text;
  /// Of a number: "s", "ms", "B", "B/s", "share"; any other unit is only displayed.
  std::string unit;
  SqlPiece value;        ///< an expression over the tables of RunStore::list, NULL if absent
  KnownSetting setting;  ///< if the type is Setting
};

/// nullopt for an unknown name.
std::optional<QueryField> findField(std::string_view name, const QueryVocabulary& vocabulary);

/// All names in the order in which help shows them: fields of runs, figures, settings.
std::vector<std::string> fieldNames(const QueryVocabulary& vocabulary);

/// "no setting, figure or field is called `x`; did you mean `y`?"
std::string unknownFieldText(std::string_view name, const QueryVocabulary& vocabulary);

/// SQL for the setting's value if it has one of the SQL types (a list as in `typeof(value) IN
/// (...)`).
SqlPiece settingValue(std::string_view name, std::string_view sqlTypes);

}  // namespace millrace
