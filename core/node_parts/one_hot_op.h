// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/data/buffer.h"
#include "core/data/sample.h"
#include "core/node_parts/colour_csv.h"
#include "core/spec/sample_op.h"

namespace millrace::nodes {

/// What masks become: one plane of 0 and 1 per class, or one channel of class numbers.
enum class MaskResult : std::uint8_t { OneHot, Index };
/// What happens to values that are not a class: the sample fails, or they are ignored.
enum class UnknownValues : std::uint8_t { Error, Ignore };

/// Converts class numbers to vectors of zeros with a single 1: labels, masks of class numbers and,
/// with a table, masks of colours. A list of class numbers gets a 1 for each. Counts what it
/// ignores. One thread.
class OneHotOp final : public SampleOp {
 public:
  struct Settings {
    MaskResult masks = MaskResult::OneHot;
    std::int64_t ignoreIndex = -1;  ///< a number in masks that is not a class; -1: none
    UnknownValues unknown = UnknownValues::Error;
    DType dtype = DType::F32;     ///< U8 or F32
    Layout layout = Layout::Hwc;  ///< of one-hot masks
  };
  struct Field {
    std::size_t index = 0;
    std::string name;
    bool isMask = false;  ///< a picture; otherwise a label
    int classes = 0;
  };

  /// `colours`: masks are pictures of these colours.
  OneHotOp(const Settings& settings, std::vector<Field> fields,
           std::optional<ColourClasses> colours);

  std::vector<std::size_t> replaces() const override;
  std::vector<std::string> counterNames() const override;
  Status process(Sample& sample, const OpContext& context) override;

 private:
  Status label(const Field& field, Sample& sample, const OpContext& context);
  Status mask(const Field& field, Sample& sample, const OpContext& context);
  Status fromColours(const Field& field, ImageView from, Sample& sample, const OpContext& context);
  Status fromIndices(const Field& field, ImageView indices, Sample& sample,
                     const OpContext& context) const;
  UnknownPixels write(const Field& field, ImageView indices, Sample& sample) const;

  const Settings m_settings;
  const std::optional<ColourClasses> m_colours;
  const std::vector<Field> m_fields;
  Buffer m_indices;
  std::vector<std::int64_t> m_labels;  ///< of the current sample
};

}  // namespace millrace::nodes
