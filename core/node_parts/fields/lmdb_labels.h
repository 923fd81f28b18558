// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/stream_type.h"
#include "core/formats/lmdb/lmdb_database.h"

namespace millrace::nodes {

/// Labels that are separate values: their keys have another word than those of the pictures,
/// as in `image-000000001` and `label-000000001`.
struct LmdbLabelKeys {
  std::string picture;              ///< the word in a picture's key
  std::string label;                ///< the word in its label's
  std::optional<FieldSpec> number;  ///< the field of labels that are numbers; others are texts

  /// The key of the picture's label; empty if `key` is not that of a picture.
  std::string labelOf(std::string_view key) const;
};

/// From the values examined; nullopt if most pictures have no label under such a key.
std::optional<LmdbLabelKeys> findLabelKeys(const LmdbDatabase& base, const LmdbProbe& probe);

/// The record with the label of each of `base.records`, from which labels are removed; kNoLabel:
/// there is none.
inline constexpr std::uint32_t kNoLabel = UINT32_MAX;
std::vector<std::uint32_t> takeLabels(LmdbDatabase& base, const LmdbLabelKeys& keys);

}  // namespace millrace::nodes
