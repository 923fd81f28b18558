// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/folder/manifest_form.h"

namespace millrace {

/// Rows of cells, without spaces at their ends.
using ManifestRows = std::vector<std::vector<std::string>>;

/// The columns of a manifest's fields, by number.
struct ChosenColumns {
  std::size_t image = 0;
  std::optional<std::size_t> label;
  bool quantities = false;           ///< the labels are real numbers (RealLabels)
  std::vector<std::size_t> oneHot;   ///< instead of `label`
  std::vector<std::size_t> several;  ///< columns of 0 and 1 with several ones in a row
  std::optional<std::size_t> target;
  std::optional<std::size_t> mask;
  std::vector<std::size_t> fractions;    ///< without a label: columns of measurements
  std::optional<std::size_t> sentences;  ///< without a label: a column of captions
  std::optional<std::size_t> split;      ///< a column that divides the rows: train, val, test
};

/// The columns that `hints` names, otherwise the ones with usual names, otherwise the ones whose
/// cells fit. `rows` come after the header row. The error lists the columns.
Result<ChosenColumns> chooseColumns(const std::vector<std::string>& header,
                                    const ManifestRows& rows, const ManifestHints& hints);

/// The columns that `chosen` does not name.
std::vector<std::string> columnsNotRead(const std::vector<std::string>& header,
                                        const ChosenColumns& chosen);

/// Whether a column of this name usually holds boxes, or one side of them.
bool isBoxColumn(const std::string& name);

/// Whether a cell of a one-hot column is 1 (`1`, `1.0`, `true`) or not (`0`, `0.0`, `-1`, `false`,
/// empty); nullopt: neither.
std::optional<bool> oneHotCell(std::string_view text);
/// Whether the text is `-1` or `-1.0`: "no" in some sets, "uncertain" in others.
bool isMinusOne(std::string_view text);
/// Whether `cell` is the usual name of a column of paths or labels.
bool isUsualColumn(const std::string& cell);
/// The names of columns for a message, "a, b and c": not all of many, and not all of a long one.
std::string shownColumns(const std::vector<std::string>& header);
/// Whether the path ends in a picture's extension.
bool isPicturePath(std::string_view path);
/// Whether the text is a decimal number.
bool isNumber(std::string_view text);

}  // namespace millrace
