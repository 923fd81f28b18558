// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/parts.h"
#include "core/spec/node_spec.h"
#include "core/spec/param_binding.h"

namespace millrace {

/// Binds a kind's `Params` struct, whose member initialisers are the only defaults, to names,
/// ranges, units and help, and its typed functions to the hooks of NodeSpec. One per node file:
///
///   NodeSpec describe() {
///     Describe<Params> d("blur", Category::Colour, NodeRole::Sample);
///     d.label("Blur").help("...");
///     d.real("sigma", &Params::sigma).label("Sigma").range(0.1, 20).unit("pixels").help("...");
///     d.infer(infer);
///     d.sample(make);
///     return d.take();
///   }
template <class Params>
class Describe : public ParamBinding<Params> {
 public:
  Describe(std::string kind, Category category, NodeRole role) {
    m_spec.kind = std::move(kind);
    m_spec.category = category;
    m_spec.role = role;
    m_spec.canBypass = role != NodeRole::Source && role != NodeRole::Batch &&
                       role != NodeRole::Consumer && category != Category::Decode;
  }

  Describe& label(std::string_view text) { return m_spec.label = text, *this; }
  Describe& help(std::string_view text) { return m_spec.help = text, *this; }
  Describe& example(std::string_view json) { return m_spec.example = json, *this; }
  Describe& tags(std::initializer_list<std::string_view> tags) {
    return m_spec.tags = textsOf(tags), *this;
  }
  Describe& tag(std::string_view text) { return m_spec.tags.emplace_back(text), *this; }

  /// It has no device side. Kinds of geometry, colour and tensor have one, or call this.
  Describe& cpuOnly() { return m_spec.cpuOnly = true, *this; }

  /// The name of the optional part that it needs.
  Describe& part(std::string_view name) { return m_spec.part = partNamed(name).name, *this; }

  /// StreamType infer(const Params&, const StreamType& in, InferContext&).
  template <class F>
  void infer(F f) {
    m_spec.infer = [f = std::move(f), read = this->reader()](
                       const Values& values, const StreamType& in, InferContext& context) {
      return f(read(values), in, context);
    };
  }
  /// Result<std::shared_ptr<const Source>> f(const Params&, const BuildContext&); the hooks below
  /// that take a BuildContext also return a Result of what NodeSpec's hook returns.
  template <class F>
  void source(F f) {
    m_spec.source = build(std::move(f));
  }
  template <class F>
  void order(F f) {
    m_spec.order = build(std::move(f));
  }
  template <class F>
  void image(F f) {
    m_spec.image = build(std::move(f));
  }
  template <class F>
  void sample(F f) {
    m_spec.sample = build(std::move(f));
  }
  template <class F>
  void cache(F f) {
    m_spec.cache = build(std::move(f));
  }
  template <class F>
  void batchOp(F f) {
    m_spec.batchOp = build(std::move(f));
  }
  template <class F>
  void batchMap(F f) {
    m_spec.batchMap = build(std::move(f));
  }
  template <class F>
  void deviceOp(F f) {
    m_spec.deviceOp = build(std::move(f));
  }
  template <class F>
  void consumer(F f) {
    m_spec.consumer = build(std::move(f));
  }
  /// std::vector<std::size_t> f(const Params&, const StreamType& in).
  template <class F>
  void acts(F f) {
    m_spec.acts = [f = std::move(f), read = this->reader()](
                      const Values& values, const StreamType& in) { return f(read(values), in); };
  }
  /// ReadAheadSettings f(const Params&), of a source whose samples may be read ahead.
  template <class F>
  void readAhead(F f) {
    m_spec.readAhead = settings(std::move(f));
  }
  template <class F>
  void workers(F f) {
    m_spec.workers = settings(std::move(f));
  }
  template <class F>
  void batch(F f) {
    m_spec.batch = settings(std::move(f));
  }
  template <class F>
  void prefetch(F f) {
    m_spec.prefetch = settings(std::move(f));
  }
  template <class F>
  void transfer(F f) {
    m_spec.transfer = settings(std::move(f));
  }
  /// ChoiceSettings f(const Params&). `choice` adds a parameter.
  template <class F>
  void choosing(F f) {
    m_spec.choice = settings(std::move(f));
  }
  /// ExportText f(const Params&, const ExportContext&), for one exporter's target.
  template <class F>
  void exporter(std::string_view target, F f) {
    m_spec.exporters[std::string(target)] = [f = std::move(f), read = this->reader()](
                                                const Values& values,
                                                const ExportContext& context) {
      return f(read(values), context);
    };
  }
  /// ExportText f(const Params&, const ExportContext&, std::string_view target), for several.
  template <class F>
  void exporters(std::initializer_list<const char*> targets, F f) {
    for (const char* target : targets)
      exporter(target, [f, target](const Params& params, const ExportContext& context) {
        return f(params, context, target);
      });
  }

  NodeSpec take() {
    m_spec.params = this->specs();
    MILLRACE_CHECK(m_spec.infer != nullptr, "every kind infers its stream");
    if (m_spec.role == NodeRole::Source) inferNumberOfPaths(m_spec);
    return std::move(m_spec);
  }

 private:
  template <class F>
  auto build(F f) const {
    return
        [f = std::move(f), read = this->reader()](
            const Values& values, const BuildContext& context) { return f(read(values), context); };
  }
  template <class F>
  auto settings(F f) const {
    return
        [f = std::move(f), read = this->reader()](const Values& values) { return f(read(values)); };
  }

  NodeSpec m_spec;
};

}  // namespace millrace
