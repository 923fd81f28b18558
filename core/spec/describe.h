// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/spec/node_spec.h"
#include "core/spec/param_binding.h"

namespace millrace {

/// Binds a kind's `Params` struct, whose member initialisers are the only defaults, to names,
/// ranges, units and help, and its typed functions to the hooks of NodeSpec. One a node file:
///
///   NodeSpec blur() {
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
  using ExportHook = std::function<ExportText(const Params&, const ExportContext&)>;

  Describe(std::string kind, Category category, NodeRole role) {
    m_spec.kind = std::move(kind);
    m_spec.category = category;
    m_spec.role = role;
    m_spec.canBypass = role != NodeRole::Source && role != NodeRole::Batch &&
                       role != NodeRole::Consumer && category != Category::Decode;
  }

  Describe& label(std::string text) { return m_spec.label = std::move(text), *this; }
  Describe& help(std::string text) { return m_spec.help = std::move(text), *this; }
  Describe& example(std::string json) { return m_spec.example = std::move(json), *this; }
  Describe& tags(std::vector<std::string> tags) { return m_spec.tags = std::move(tags), *this; }

  /// StreamType infer(const Params&, const StreamType& in, InferContext&).
  template <class F>
  void infer(F f) {
    m_infer = [f](const Params& p, const StreamType& in, InferContext& c) { return f(p, in, c); };
  }
  template <class F>
  void source(F f) {
    m_source = std::move(f);
  }
  /// ReadAheadSettings f(const Params&), of a source whose samples may be read ahead.
  template <class F>
  void readAhead(F f) {
    m_readAhead = std::move(f);
  }
  template <class F>
  void order(F f) {
    m_order = std::move(f);
  }
  template <class F>
  void image(F f) {
    m_image = std::move(f);
  }
  template <class F>
  void acts(F f) {
    m_acts = std::move(f);
  }
  template <class F>
  void sample(F f) {
    m_sample = std::move(f);
  }
  template <class F>
  void cache(F f) {
    m_cache = std::move(f);
  }
  template <class F>
  void workers(F f) {
    m_workers = std::move(f);
  }
  template <class F>
  void batch(F f) {
    m_batch = std::move(f);
  }
  template <class F>
  void prefetch(F f) {
    m_prefetch = std::move(f);
  }
  template <class F>
  void transfer(F f) {
    m_transfer = std::move(f);
  }
  template <class F>
  void deviceOp(F f) {
    m_deviceOp = std::move(f);
  }
  template <class F>
  void batchOp(F f) {
    m_batchOp = std::move(f);
  }
  template <class F>
  void consumer(F f) {
    m_consumer = std::move(f);
  }
  /// ExportText f(const Params&, const ExportContext&), for one exporter's target.
  void exporter(const std::string& target, ExportHook f) { m_exporters[target] = std::move(f); }
  /// ExportText f(const Params&, const ExportContext&, std::string_view target), for several.
  template <class F>
  void exporters(std::initializer_list<const char*> targets, F f) {
    for (const char* target : targets)
      exporter(target, [f, target](const Params& params, const ExportContext& context) {
        return f(params, context, target);
      });
  }

  NodeSpec take();

 private:
  /// Turns a hook over Params into one over Values.
  template <class R, class... Rest>
  void erase(const std::function<R(const Params&, Rest...)>& typed,
             std::function<R(const Values&, Rest...)>& erased) const {
    if (!typed) return;
    erased = [typed, read = this->reader()](const Values& values, Rest... rest) -> R {
      return typed(read(values), std::forward<Rest>(rest)...);
    };
  }

  template <class R>
  using Hook = std::function<R(const Params&, const BuildContext&)>;

  NodeSpec m_spec;
  std::function<StreamType(const Params&, const StreamType&, InferContext&)> m_infer;
  std::function<std::vector<std::size_t>(const Params&, const StreamType&)> m_acts;
  Hook<Result<std::shared_ptr<const Source>>> m_source;
  std::function<ReadAheadSettings(const Params&)> m_readAhead;
  Hook<Result<std::shared_ptr<const OrderOp>>> m_order;
  Hook<Result<ImageStep>> m_image;
  Hook<Result<std::unique_ptr<SampleOp>>> m_sample;
  Hook<Result<std::shared_ptr<SampleCache>>> m_cache;
  std::function<WorkersSettings(const Params&)> m_workers;
  std::function<BatchSettings(const Params&)> m_batch;
  std::function<PrefetchSettings(const Params&)> m_prefetch;
  std::function<TransferSettings(const Params&)> m_transfer;
  Hook<Result<std::unique_ptr<DeviceOp>>> m_deviceOp;
  Hook<Result<std::unique_ptr<BatchOp>>> m_batchOp;
  Hook<Result<std::unique_ptr<Consumer>>> m_consumer;
  std::map<std::string, ExportHook> m_exporters;
};

template <class Params>
NodeSpec Describe<Params>::take() {
  erase(m_infer, m_spec.infer);
  erase(m_acts, m_spec.acts);
  erase(m_source, m_spec.source);
  erase(m_readAhead, m_spec.readAhead);
  erase(m_order, m_spec.order);
  erase(m_image, m_spec.image);
  erase(m_sample, m_spec.sample);
  erase(m_cache, m_spec.cache);
  erase(m_workers, m_spec.workers);
  erase(m_batch, m_spec.batch);
  erase(m_prefetch, m_spec.prefetch);
  erase(m_transfer, m_spec.transfer);
  erase(m_deviceOp, m_spec.deviceOp);
  erase(m_batchOp, m_spec.batchOp);
  erase(m_consumer, m_spec.consumer);
  for (const auto& [target, typed] : m_exporters) erase(typed, m_spec.exporters[target]);
  m_spec.params = this->specs();
  MILLRACE_CHECK(m_spec.infer != nullptr, "every kind infers its stream");
  return std::move(m_spec);
}

}  // namespace millrace
