// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What the interface for plug-ins costs for each sample: an operation whose function does nothing.
// The limit is 100 ns. For comparison: the built-in kind that does nothing, and memory for one
// value.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "core/nodes/builtin.h"
#include "core/plugins/plugin_kind.h"

namespace millrace {

namespace {

int doesNothing(void*, const millrace_node_sample* sample, char*, std::size_t) {
  benchmark::DoNotOptimize(sample->outputs[0].data);
  return 0;
}

int sameTypes(const millrace_node_value*, millrace_node_types*, char*, std::size_t) { return 0; }

StreamType stream(std::int64_t width) {
  StreamType stream;
  stream.fields = {{"image", DType::U8, {8, width, 3}, Layout::Hwc, Role::Image}};
  return stream;
}

/// Calls it for sample after sample, each from memory of the source; widths alternate if `uneven`.
void process(benchmark::State& state, const NodeSpec& spec, bool uneven = false) {
  BuildContext build;
  build.in = build.out = stream(uneven ? Shape::kUnknown : 8);
  auto op = spec.sample(spec.defaults(), build);
  if (!op) return state.SkipWithError(op.error().message.c_str());
  std::vector<std::byte> memory(8 * 9 * 3);
  Sample sample(1);
  std::uint32_t index = 0;
  for (auto _ : state) {
    const std::int64_t width = uneven ? 8 + index % 2 : 8;
    sample.reset({0, ++index, 0}, 1);
    sample.borrow(0, {DType::U8, Layout::Hwc, Shape{8, width, 3}, memory.data(),
                      static_cast<std::size_t>(8 * width * 3)});
    if (const Status done = (*op)->process(sample, {}); !done)
      return state.SkipWithError(done.error().message.c_str());
  }
}

NodeSpec plugin(bool random, bool infers) {
  auto kind = readKindDescription(
      std::string(R"({"kind": "k", "label": "K", "help": "h", "roles": ["image"], "random": )") +
      (random ? "true}" : "false}"));
  millrace_node_kind calls{};
  calls.process = doesNothing;
  if (infers) calls.infer = sameTypes;
  return nodeSpecOf(kind.take(), calls);
}

void pluginThatDoesNothing(benchmark::State& state) { process(state, plugin(false, true)); }
void pluginWithRandomNumbers(benchmark::State& state) { process(state, plugin(true, true)); }
void pluginWithSizesBySample(benchmark::State& state) {
  process(state, plugin(false, false), true);
}
void pluginAskedForEachSize(benchmark::State& state) { process(state, plugin(false, true), true); }
void builtInIdentity(benchmark::State& state) {
  process(state, *builtinCatalog().find("identity"));
}

BENCHMARK(builtInIdentity);
BENCHMARK(pluginThatDoesNothing);
BENCHMARK(pluginWithRandomNumbers);
BENCHMARK(pluginWithSizesBySample);
BENCHMARK(pluginAskedForEachSize);

}  // namespace

}  // namespace millrace
