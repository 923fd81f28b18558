// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/chosen_op.h"

#include <utility>

namespace millrace {

namespace {

class ChosenOp final : public SampleOp {
 public:
  ChosenOp(std::unique_ptr<SampleOp> op, NodeChoice choice, int view)
      : m_op(std::move(op)), m_choice(std::move(choice)), m_view(view) {}

  Status process(Sample& sample, const OpContext& context) override {
    if (!m_choice.applies(context.seed, sample.key(), m_view, context.noRandom)) return {};
    return m_op->process(sample, context);
  }
  std::vector<std::size_t> replaces() const override { return m_op->replaces(); }
  std::vector<std::string> counterNames() const override { return m_op->counterNames(); }

 private:
  const std::unique_ptr<SampleOp> m_op;
  const NodeChoice m_choice;
  const int m_view;
};

}  // namespace

std::unique_ptr<SampleOp> makeChosenOp(std::unique_ptr<SampleOp> op, const NodeChoice& choice,
                                       int view) {
  return std::make_unique<ChosenOp>(std::move(op), choice, view);
}

}  // namespace millrace
