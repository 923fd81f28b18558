// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/data/stream_type.h"
#include "core/spec/param_spec.h"

namespace millrace {

// Figures and values as a person reads them (LOOK: no-break space between thousands and before
// units, real minus). Never for files.

inline constexpr QChar kNoBreak(0x00A0);

QString shownNumber(std::int64_t number);
/// Up to six digits that count; no exponent from a millionth on.
QString shownNumber(double number);
/// "1 setting", "2 settings"; `many`: where more is not `one` with an s.
QString shownCount(std::int64_t number, const QString& one, const QString& many = {});
/// A ratio as a change: "+12.3 %" for 1.123.
QString shownChange(double ratio);
/// "px" for pixels, "s" for seconds; others as they are.
QString shownUnit(std::string_view unit);

/// "224 px", "4.29 GB", "bilinear", "0.485, 0.456, 0.406", "not set".
QString shownValue(const ParamSpec& spec, const Value& value);
/// As shownValue, in the few letters of a node's second line: no unit, file names without folders,
/// of a long list its beginning.
QString shortValue(const ParamSpec& spec, const Value& value);
/// "1 to 16 384 px"; empty where everything of the type is allowed.
QString shownAllowed(const ParamSpec& spec);

/// "image · f32 3 × 224 × 224 · nchw".
QString shownShape(const Shape& shape);
QString shownField(const FieldSpec& field);
/// "sample · host · image f32 3 × 224 × 224 · label i64".
QString shownStream(const StreamType& stream);

/// What a person typed as a number: thousands by spaces, a comma or a point before decimals, any
/// minus. Nothing where it is no number.
std::optional<double> typedNumber(const QString& text);

}  // namespace millrace
