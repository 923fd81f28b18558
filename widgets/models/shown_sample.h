// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QImage>
#include <QString>
#include <QStringList>

#include "core/preview/previewed_sample.h"

namespace millrace {

/// Minimum, maximum, mean and number of a field's elements.
struct FieldSpread {
  double minimum = 0;
  double maximum = 0;
  double mean = 0;
  double elements = 0;
};

/// A field of a sample as the engine made it. Values that a line does not contain are empty. Value.
struct ShownField {
  QString name;
  QString role;  ///< its role in the stream: "image", "target", "mask", "label", "features"
  QString dtype;
  QString layout;
  std::vector<qint64> shape;
  qint64 bytes = 0;
  std::optional<FieldSpread> spread;  ///< of the full field, not of the shrunk picture
  QImage picture;                     ///< shrunk by the engine; null: not a picture
  std::optional<double> label;        ///< a label's value, or the index of a one-hot's maximum
  QString labelClass;
  std::vector<MaskClass> maskClasses;    ///< of an index mask
  std::vector<PreviewedObject> objects;  ///< of a picture
  std::optional<PictureValues> values;   ///< of a picture, in a larger sample
  /// Of a normalised picture, by channel.
  std::vector<double> normalMean;
  std::vector<double> normalDeviation;

  bool isMask() const { return role == "mask"; }
  /// Pictures outside class folders have the class of the folder itself.
  bool isWithoutFolder() const { return labelClass == "."; }
  /// The class for texts; empty if it has no name.
  QString classText() const;
  bool isEncoded() const { return dtype == "encoded"; }
  /// "224 × 224 × 3"; "scalar".
  QString shapeText() const;
  /// "u8 · 224 × 224 × 3 · HWC"; "encoded, 110 kB".
  QString typeText() const;
};

/// One sample after a node. Value.
struct ShownSample {
  quint64 place = 0;     ///< in the order, counted across epochs
  quint64 position = 0;  ///< in its epoch
  quint64 of = 0;        ///< samples in the epoch; 0: unknown
  quint64 epoch = 0;
  QString name;
  QString node;        ///< the node that it comes from
  QString error;       ///< why there is no sample; else empty
  qint64 request = 0;  ///< samples with the same number are of the same settings
  std::vector<ShownField> fields;

  /// The class or value of its first label; "cats 0.70" for mixed labels; "3 objects"; otherwise
  /// empty.
  QString labelText() const;
  /// Its pictures except masks, in order.
  std::vector<const ShownField*> pictures() const;
  const ShownField* mask() const;
};

/// Decodes the pictures. Any thread.
ShownSample shownSample(const PreviewedSample& sample);

/// The spread of a field over several samples; nullopt if none of them has one.
std::optional<FieldSpread> spreadOver(const std::vector<ShownSample>& samples, std::size_t field);

}  // namespace millrace
