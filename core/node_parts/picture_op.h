// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/spec/describe.h"
#include "core/spec/sample_op.h"

namespace millrace::nodes {

/// The work of a kind that changes pictures: `Op` is constructed from Params and the stream before
/// the node, and changes the fields that `fieldsOf(stream, params.fields)` chooses.
template <class Op, class Params, class Fields>
void pictureOp(Describe<Params>& d, Fields fieldsOf) {
  d.acts([fieldsOf](const Params& p, const StreamType& in) { return fieldsOf(in, p.fields); });
  d.sample([](const Params& p, const BuildContext& context) {
    return Result<std::unique_ptr<SampleOp>>(std::make_unique<Op>(p, context.in));
  });
}

}  // namespace millrace::nodes
