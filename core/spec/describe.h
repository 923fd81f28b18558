// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/spec/node_spec.h"

namespace millrace {

/// Refines the parameter that was described last.
class ParamBuilder {
 public:
  ParamBuilder(std::vector<ParamSpec>& all, std::size_t at) : m_all(all), m_at(at) {}

  ParamBuilder& label(std::string text) { return spec().label = std::move(text), *this; }
  ParamBuilder& help(std::string text) { return spec().help = std::move(text), *this; }
  ParamBuilder& unit(std::string text) { return spec().unit = std::move(text), *this; }
  ParamBuilder& range(double low, double high) { return atLeast(low).atMost(high); }
  ParamBuilder& atLeast(double low) { return spec().minimum = low, *this; }
  ParamBuilder& atMost(double high) { return spec().maximum = high, *this; }
  ParamBuilder& live() { return spec().live = true, *this; }
  ParamBuilder& data() { return spec().isData = true, *this; }
  ParamBuilder& optional() { return spec().optional = true, *this; }

 private:
  ParamSpec& spec() { return m_all[m_at]; }
  std::vector<ParamSpec>& m_all;
  std::size_t m_at;
};

/// One value of a choice: the enumerator, its name in the file, what it means.
template <class Enum>
struct Choice {
  Enum value;
  std::string name;
  std::string help;
};

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
class Describe {
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

  ParamBuilder integer(std::string name, std::int64_t Params::* member) {
    return bind(std::move(name), ParamType::Integer, member);
  }
  ParamBuilder real(std::string name, double Params::* member) {
    return bind(std::move(name), ParamType::Real, member);
  }
  ParamBuilder boolean(std::string name, bool Params::* member) {
    return bind(std::move(name), ParamType::Boolean, member);
  }
  ParamBuilder text(std::string name, std::string Params::* member) {
    return bind(std::move(name), ParamType::Text, member);
  }
  ParamBuilder path(std::string name, std::string Params::* member) {
    return bind(std::move(name), ParamType::Path, member);
  }
  ParamBuilder reals(std::string name, RealList Params::* member) {
    return bind(std::move(name), ParamType::RealList, member);
  }
  ParamBuilder texts(std::string name, TextList Params::* member) {
    return bind(std::move(name), ParamType::TextList, member);
  }
  ParamBuilder paths(std::string name, TextList Params::* member) {
    return bind(std::move(name), ParamType::PathList, member);
  }
  template <class Enum>
  ParamBuilder choice(const std::string& name, Enum Params::* member,
                      std::vector<Choice<Enum>> choices) {
    const auto nameOfValue = [choices](Enum value) {
      for (const Choice<Enum>& choice : choices)
        if (choice.value == value) return choice.name;
      MILLRACE_CHECK(false, "every enumerator is a choice");
    };
    ParamBuilder builder = add(name, ParamType::Choice, Value{nameOfValue(Params{}.*member)});
    for (const Choice<Enum>& choice : choices) {
      m_spec.params.back().choices.push_back(choice.name);
      m_spec.params.back().choiceHelps.push_back(choice.help);
    }
    m_setters.push_back([name, member, choices](Params& params, const Values& values) {
      const auto& text = std::get<std::string>(values.find(name)->second);
      for (const Choice<Enum>& choice : choices)
        if (choice.name == text) params.*member = choice.value;
    });
    return builder;
  }
  /// The parameter `fields`, by which a person overrides what a node acts on (CONTRACT §2).
  ParamBuilder fields(TextList Params::* member) {
    return texts("fields", member)
        .label("Fields")
        .optional()
        .help("Names of the fields to act on; empty: by their role.");
  }

  /// StreamType infer(const Params&, const StreamType& in, InferContext&).
  template <class F>
  void infer(F f) {
    m_infer = [f](const Params& p, const StreamType& in, InferContext& c) { return f(p, in, c); };
  }
  template <class F>
  void source(F f) {
    m_source = std::move(f);
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
  void batchOp(F f) {
    m_batchOp = std::move(f);
  }
  template <class F>
  void consumer(F f) {
    m_consumer = std::move(f);
  }
  /// ExportText f(const Params&, const ExportContext&), for one exporter's target.
  void exporter(const std::string& target, ExportHook f) { m_exporters[target] = std::move(f); }

  NodeSpec take();

 private:
  template <class T>
  ParamBuilder bind(std::string name, ParamType type, T Params::* member) {
    ParamBuilder builder = add(name, type, Value{Params{}.*member});
    m_setters.push_back([name = std::move(name), member](Params& params, const Values& values) {
      params.*member = std::get<T>(values.find(name)->second);
    });
    return builder;
  }
  ParamBuilder add(const std::string& name, ParamType type, Value defaultValue) {
    ParamSpec spec;
    spec.name = name;
    spec.label = name;
    spec.type = type;
    spec.defaultValue = std::move(defaultValue);
    m_spec.params.push_back(std::move(spec));
    return {m_spec.params, m_spec.params.size() - 1};
  }
  /// Turns a hook over Params into one over Values.
  template <class R, class... Rest>
  void erase(const std::function<R(const Params&, Rest...)>& typed,
             std::function<R(const Values&, Rest...)>& erased) const {
    if (!typed) return;
    erased = [typed, setters = m_setters](const Values& values, Rest... rest) -> R {
      Params params;
      for (const auto& set : setters) set(params, values);
      return typed(params, std::forward<Rest>(rest)...);
    };
  }

  template <class R>
  using Hook = std::function<R(const Params&, const BuildContext&)>;

  NodeSpec m_spec;
  std::vector<std::function<void(Params&, const Values&)>> m_setters;
  std::function<StreamType(const Params&, const StreamType&, InferContext&)> m_infer;
  std::function<std::vector<std::size_t>(const Params&, const StreamType&)> m_acts;
  Hook<Result<std::shared_ptr<const Source>>> m_source;
  Hook<Result<std::shared_ptr<const OrderOp>>> m_order;
  Hook<Result<ImageStep>> m_image;
  Hook<Result<std::unique_ptr<SampleOp>>> m_sample;
  Hook<Result<std::shared_ptr<SampleCache>>> m_cache;
  std::function<WorkersSettings(const Params&)> m_workers;
  std::function<BatchSettings(const Params&)> m_batch;
  std::function<PrefetchSettings(const Params&)> m_prefetch;
  Hook<Result<std::unique_ptr<BatchOp>>> m_batchOp;
  Hook<Result<std::unique_ptr<Consumer>>> m_consumer;
  std::map<std::string, ExportHook> m_exporters;
};

template <class Params>
NodeSpec Describe<Params>::take() {
  erase(m_infer, m_spec.infer);
  erase(m_acts, m_spec.acts);
  erase(m_source, m_spec.source);
  erase(m_order, m_spec.order);
  erase(m_image, m_spec.image);
  erase(m_sample, m_spec.sample);
  erase(m_cache, m_spec.cache);
  erase(m_workers, m_spec.workers);
  erase(m_batch, m_spec.batch);
  erase(m_prefetch, m_spec.prefetch);
  erase(m_batchOp, m_spec.batchOp);
  erase(m_consumer, m_spec.consumer);
  for (const auto& [target, typed] : m_exporters) erase(typed, m_spec.exporters[target]);
  MILLRACE_CHECK(m_spec.infer != nullptr, "every kind infers its stream");
  return std::move(m_spec);
}

}  // namespace millrace
