// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/short_form.h"
#include "core/export/tfdata_file.h"

namespace millrace {

/// The short form in tf.data. The steps of a node, by role:
///   source    an expression: a Dataset; further steps are statements on `sample`
///   order     an expression that makes a Dataset from `ds`
///   others    statements on `sample`, a dict of tensors; pictures are HWC. draw("NODE") is a seed.
///             For rows, `sample` is a whole batch. Steps of the long form are expressions
/// A node with the exporter "tfdata.decoding" may replace the decode node before it.
Result<Exported> shortTfData(const ExportSubject& subject, const ShortForm& form,
                             const CodeEnding& ending);

}  // namespace millrace
