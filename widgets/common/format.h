// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/data/stream_type.h"
#include "core/spec/param_spec.h"

namespace millrace {

// Figures and values for display (docs/look.md: no-break space between thousands and before units,
// real minus). Never for files.

inline constexpr QChar kNoBreak(0x00A0);
/// Between the parts of a line.
inline constexpr const char* kDot = " · ";

QString shownNumber(std::int64_t number);
/// Up to six significant digits; no exponent from a millionth on.
QString shownNumber(double number);
/// "1 setting", "2 settings"; `many`: the plural where it is not `one` with an s.
QString shownCount(std::int64_t number, const QString& one, const QString& many = {});
/// A ratio as a change: "+12.3 %" for 1.123.
QString shownChange(double ratio);
/// "px" for pixels, "s" for seconds; other units unchanged.
QString shownUnit(std::string_view unit);

/// "224 px", "4.29 GB", "bilinear", "0.485, 0.456, 0.406", "not set".
QString shownValue(const ParamSpec& spec, const Value& value);
/// As shownValue, shortened for a node's second line: no unit, file names without folders, only the
/// beginning of a long list.
QString shortValue(const ParamSpec& spec, const Value& value);
/// "1 to 16 384 px"; empty if every value of the type is allowed.
QString shownAllowed(const ParamSpec& spec);

/// "image · f32 3 × 224 × 224 · nchw".
QString shownShape(const Shape& shape);
QString shownField(const FieldSpec& field);
/// "sample · host · image f32 3 × 224 × 224 · label i64".
QString shownStream(const StreamType& stream);

/// A number as a user types it: spaces between thousands, a comma or a point before decimals, any
/// minus sign. nullopt if it is not a number.
std::optional<double> typedNumber(const QString& text);

}  // namespace millrace
