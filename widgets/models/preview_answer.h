// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <QImage>
#include <QString>
#include <QStringList>

namespace millrace {

/// Least, greatest and mean of a field's elements, and how many they are.
struct FieldSpread {
  double minimum = 0;
  double maximum = 0;
  double mean = 0;
  double elements = 0;
};

/// A field of a sample as the engine made it. What a line does not say is empty. Value.
struct ShownField {
  QString name;
  QString role;  ///< as the stream names it: "image", "target", "mask", "label", "features"
  QString dtype;
  QString layout;
  std::vector<qint64> shape;
  qint64 bytes = 0;
  std::optional<FieldSpread> spread;  ///< of the whole field, not of the picture
  QImage picture;                     ///< shrunk by the engine; null: the field is no picture
  std::optional<double> label;        ///< a label's value, or the place of a one-hot's greatest
  QString labelClass;

  bool isMask() const { return role == "mask"; }
  bool isEncoded() const { return dtype == "encoded"; }
  /// "224 × 224 × 3"; "scalar".
  QString shapeText() const;
  /// "u8 · 224 × 224 × 3 · HWC"; "encoded, 110 kB".
  QString typeText() const;
};

/// One sample behind a node. Value.
struct ShownSample {
  quint64 place = 0;     ///< in the order, counted on over the epochs
  quint64 position = 0;  ///< in its epoch
  quint64 of = 0;        ///< samples of the epoch; 0: not said
  quint64 epoch = 0;
  QString name;
  QString node;   ///< behind which it is
  QString error;  ///< why there is none; empty: there is
  std::vector<ShownField> fields;

  /// The class or value of its first label; "cats 0.70" where labels are mixed; else empty.
  QString labelText() const;
  /// Its pictures without masks, in order.
  std::vector<const ShownField*> pictures() const;
  const ShownField* mask() const;
};

/// A line of `millrace preview --serve`.
struct PreviewAnswer {
  enum class Kind : std::uint8_t { Sample, Done, Stale, Error, Other };
  Kind kind = Kind::Other;  ///< Other: of a later version
  std::optional<qint64> id;
  ShownSample sample;
  QString error;
};

/// Nothing where the line is none of ours. Any thread.
std::optional<PreviewAnswer> parsePreviewAnswer(std::string_view line);

/// The spread of a field over several samples; nothing where none of them has one.
std::optional<FieldSpread> spreadOver(const std::vector<ShownSample>& samples, std::size_t field);

}  // namespace millrace
