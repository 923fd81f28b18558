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

/// A setting that a query may name.
struct KnownSetting {
  std::string name;  ///< NODE.PARAM
  std::string unit;  ///< "bytes", "seconds", ...; empty where none is known
  bool number = false;
  bool flag = false;
  bool text = false;
};

/// The names that depend on what was run: those in the store, and those of the node kinds that the
/// caller knows. `workers_2.count` is known where `workers.count` is.
using QueryVocabulary = std::vector<KnownSetting>;

enum class FieldType : std::uint8_t { Number, Text, Flag, Time, Tags, Setting };

/// What a name in a query, a sort key or a column stands for.
struct QueryField {
  std::string name;
  FieldType type = FieldType::Text;
  std::string unit;      ///< of a number: "s", "ms", "B", "B/s", "share", else only to be shown
  SqlPiece value;        ///< an expression over the tables of RunStore::list, NULL where absent
  KnownSetting setting;  ///< of a Setting
};

/// nullopt for a name that is not known.
std::optional<QueryField> findField(std::string_view name, const QueryVocabulary& vocabulary);

/// Every name, in the order in which help shows them: the run's own, figures, settings.
std::vector<std::string> fieldNames(const QueryVocabulary& vocabulary);

/// "no setting or figure is called x; did you mean `y`?"
std::string unknownFieldText(std::string_view name, const QueryVocabulary& vocabulary);

/// The setting's value where it is of the SQL types (a list as in `typeof(value) IN (...)`).
SqlPiece settingValue(std::string_view name, std::string_view sqlTypes);

}  // namespace millrace
