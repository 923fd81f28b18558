// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/export_text.h"

namespace millrace {

// Pieces of the short form of exported code (core/export/short_form.h).

/// A text without steps: `why` the node needs the long form.
ExportText longForm(std::string why);

/// The text with `value` in each place that contains `place`.
std::string filledIn(std::string_view text, std::string_view place, std::string_view value);

/// A statement that replaces these fields of `sample`, each by `value`; `{}` in it is the field.
std::string replaceFields(const std::vector<std::string>& names, std::string_view value);

/// `draw("flip")`: the seed of the node's random draws. The writer of tf.data replaces it.
std::string drawText(const std::string& node);

/// Whether these fields have elements of type u8.
bool areBytes(const StreamType& stream, const std::vector<std::size_t>& fields);

/// Whether this is one picture of bytes, not a mask.
bool isOnePicture(const StreamType& stream, const std::vector<std::size_t>& fields);

/// The shape of a field as a list; in a batch, with -1 for the rows: `[-1, 8, 8, 24]`. Empty if a
/// size is unknown.
std::string shapeText(const FieldSpec& field, bool batch);

/// Everything at this depth below a folder whose name and folders do not start with a dot, relative
/// to it, sorted by bytes: what `sorted(glob("*/*", root_dir=folder))` gives for depth 2 and
/// names of UTF-8.
std::vector<std::string> globbed(const std::filesystem::path& folder, int depth);

/// Whether all files with one of these endings, in lower case, that lie in the folders of a folder
/// are what globbed() gives for depth 2, and none of these folders is empty or contains others.
bool isGlobbedByEndings(const std::filesystem::path& folder,
                        const std::vector<std::string>& endings);

}  // namespace millrace
