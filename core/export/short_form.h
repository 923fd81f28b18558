// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/export/exporter.h"
#include "core/export/python_file.h"

namespace millrace {

// A target has up to two forms. The short one is what users of the framework write by hand: its own
// operations, and its own treatment of rare cases. The long one covers every node kind and odd
// data. A kind contributes statements to the short form under the name "TARGET.short", and to a
// function for whole batches under "TARGET.rows"; in `missing` it says why it does not. A picture
// or sample node then uses its steps of the long form; any other node needs the long form.

/// A pipeline in the short form.
struct ShortForm {
  std::vector<NodeText> nodes;  ///< those with steps or settings, in the order of the chain
  std::string why;              ///< not empty: the pipeline needs the long form, "NODE: reason"
};

/// `own`: a target built on this one, whose texts under the name "OWN.short" come first; may be
/// empty.
ShortForm shortForm(const ExportSubject& subject, const std::string& target,
                    const std::string& own = {});

/// Whether the data was opened and every file name has one of these endings, given in lower case.
bool allFilesEnd(const ExportSubject& subject, const std::vector<std::string_view>& endings);

/// Names of the pictures with this layout, without one-hot masks.
std::vector<std::string> pictureFields(const StreamType& stream, Layout layout);

/// Replaces the first decode node and the node after it by that node's text of this name, which
/// decodes only a part of each file, if it has one.
void fuseDecode(ShortForm& form, const ExportSubject& subject, const std::string& name);

/// The lines of statements, wrapped and indented by `indent` spaces, each after a line break.
std::string bodyText(const std::vector<std::string>& statements, std::size_t indent = 4);

}  // namespace millrace
