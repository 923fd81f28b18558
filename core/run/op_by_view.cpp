// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/op_by_view.h"

#include <map>
#include <utility>
#include <vector>

namespace millrace {

namespace {

class OpByView final : public SampleOp {
 public:
  struct Part {
    int view = 0;
    std::unique_ptr<SampleOp> op;
  };
  explicit OpByView(std::vector<Part> parts) : m_parts(std::move(parts)) {}

  Status process(Sample& sample, const OpContext& context) override {
    OpContext own = context;
    for (const Part& part : m_parts) {
      own.node = drawKeyOfView(context.node, part.view);
      MILLRACE_TRY(part.op->process(sample, own));
    }
    return {};
  }
  std::vector<std::size_t> replaces() const override {
    std::vector<std::size_t> fields;
    for (const Part& part : m_parts)
      for (const std::size_t field : part.op->replaces()) fields.push_back(field);
    return fields;
  }
  std::vector<std::string> counterNames() const override {
    return m_parts.front().op->counterNames();
  }

 private:
  std::vector<Part> m_parts;  ///< not empty
};

}  // namespace

Result<std::unique_ptr<SampleOp>> makeOpByView(const NodeSpec& spec, const Values& values,
                                               const BuildContext& context, const MakeOp& make) {
  std::map<int, TextList> views;
  if (spec.acts)
    for (const std::size_t field : spec.acts(values, context.in))
      views[context.in.fields[field].view].push_back(context.in.fields[field].name);
  if (views.empty() || (views.size() == 1 && views.begin()->first == 0)) return make(values, 0);
  std::vector<OpByView::Part> parts;
  for (const auto& [view, names] : views) {
    Values own = values;
    own["fields"] = names;
    MILLRACE_ASSIGN_OR_RETURN(auto op, make(own, view));
    parts.push_back({view, std::move(op)});
  }
  return std::unique_ptr<SampleOp>(std::make_unique<OpByView>(std::move(parts)));
}

}  // namespace millrace
