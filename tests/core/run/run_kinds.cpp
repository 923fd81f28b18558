// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Node kinds that only tests of the engine use.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <new>
#include <thread>

#include "core/base/mutex.h"
#include "core/base/text/text.h"
#include "core/node_parts/reading_params.h"
#include "core/nodes/builtin.h"
#include "core/spec/describe.h"
#include "tests/core/run/device_kinds.h"
#include "tests/core/run/run_support.h"

#include <pthread.h>

namespace millrace::tests {

namespace {

struct StampNotes {
  Mutex mutex;
  std::vector<std::string> threads MILLRACE_GUARDED_BY(mutex);
};

StampNotes& stampNotes() {
  static StampNotes notes;
  return notes;
}

struct None {};
StreamType same(const None&, const StreamType& in, InferContext&) { return in; }

template <class Params>
Describe<Params> describe(const char* kind, Category category, NodeRole role) {
  Describe<Params> d(kind, category, role);
  d.label(kind).help("For tests.").example("{}");
  return d;
}

struct WordsParams {
  std::int64_t count = 20;
  std::int64_t unit = 37;
  RealList failing;
  std::int64_t throwing = -1;
  std::int64_t gated = -1;
  std::int64_t readAhead = 0;
};

class WordsReader final : public SourceReader {
 public:
  explicit WordsReader(const WordsParams& params) : m_params(params) {}
  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    if (index == m_params.gated) gate().pass();
    if (index == m_params.throwing) throw std::bad_alloc();
    const RealList& failing = m_params.failing;
    if (std::find(failing.begin(), failing.end(), static_cast<double>(index)) != failing.end())
      return Error{"made to fail"};
    const auto bytes = static_cast<std::size_t>(index % 7 * m_params.unit);
    const TensorView to = sample.replaceBytes(0, bytes);
    if (bytes > 0) std::memset(to.data, static_cast<int>(index & 0xffU), bytes);
    counters.reads.fetch_add(1, std::memory_order_relaxed);
    counters.bytes.fetch_add(bytes, std::memory_order_relaxed);
    return {};
  }

 private:
  const WordsParams m_params;
};

std::vector<FieldSpec> wordsFields() {
  return {{"text", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Features}};
}

class Words final : public Source {
 public:
  explicit Words(const WordsParams& params) : m_params(params) {}
  std::uint32_t size() const override { return static_cast<std::uint32_t>(m_params.count); }
  std::vector<FieldSpec> fields() const override { return wordsFields(); }
  std::string name(std::uint32_t index) const override { return "words#" + std::to_string(index); }
  std::unique_ptr<SourceReader> reader() const override {
    return std::make_unique<WordsReader>(m_params);
  }

 private:
  const WordsParams m_params;
};

NodeSpec wordsKind() {
  auto d = describe<WordsParams>("words", Category::Source, NodeRole::Source);
  d.integer("count", &WordsParams::count).atLeast(1).help("Samples.");
  d.integer("unit", &WordsParams::unit).atLeast(1).help("Bytes.");
  d.reals("failing", &WordsParams::failing).optional().help("Indices.");
  d.integer("throwing", &WordsParams::throwing).help("Index.");
  d.integer("gated", &WordsParams::gated).help("Index.");
  nodes::describeReadAhead(d);
  d.infer([](const WordsParams& p, const StreamType&, InferContext&) {
    StreamType out;
    out.fields = wordsFields();
    out.samples = p.count;
    return out;
  });
  d.source([](const WordsParams& p, const BuildContext&) -> Result<std::shared_ptr<const Source>> {
    return std::shared_ptr<const Source>(std::make_shared<Words>(p));
  });
  return d.take();
}

struct TintParams {
  std::int64_t amount = 1;
};

class Tint final : public SampleOp {
 public:
  explicit Tint(const TintParams& params) : m_amount(static_cast<unsigned>(params.amount)) {}
  Status process(Sample& sample, const OpContext&) override {
    const TensorView view = sample.writable(0);
    auto* bytes = view.as<std::uint8_t>();
    for (std::size_t i = 0; i < view.bytes; ++i)
      bytes[i] = static_cast<std::uint8_t>(bytes[i] + m_amount);
    return {};
  }

 private:
  const unsigned m_amount;
};

NodeSpec tintKind() {
  auto d = describe<TintParams>("tint", Category::Tensor, NodeRole::Sample);
  d.integer("amount", &TintParams::amount).range(0, 255).live().help("Added.");
  d.infer([](const TintParams&, const StreamType& in, InferContext&) { return in; });
  d.sample([](const TintParams& p, const BuildContext&) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<Tint>(p));
  });
  return d.take();
}

class Chaos final : public SampleOp {
 public:
  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    for (std::int64_t yields = draw.integer(-4, 4); yields > 0; --yields) std::this_thread::yield();
    return {};
  }
};

NodeSpec chaosKind() {
  auto d = describe<None>("chaos", Category::Tensor, NodeRole::Sample);
  d.infer(same);
  d.sample([](const None&, const BuildContext&) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<Chaos>());
  });
  return d.take();
}

struct BrokenParams {
  RealList samples;
  bool throws = false;
};

class Broken final : public SampleOp {
 public:
  explicit Broken(const BrokenParams& params) : m_params(params) {}
  Status process(Sample& sample, const OpContext&) override {
    const auto index = static_cast<double>(sample.key().index);
    if (std::find(m_params.samples.begin(), m_params.samples.end(), index) ==
        m_params.samples.end())
      return {};
    if (m_params.throws) throw std::bad_alloc();
    return Error{"made to fail"};
  }

 private:
  const BrokenParams m_params;
};

NodeSpec brokenKind() {
  auto d = describe<BrokenParams>("broken", Category::Tensor, NodeRole::Sample);
  d.reals("samples", &BrokenParams::samples).optional().help("Indices.");
  d.boolean("throws", &BrokenParams::throws).help("As if memory had run out.");
  d.infer([](const BrokenParams&, const StreamType& in, InferContext&) { return in; });
  d.sample([](const BrokenParams& p, const BuildContext&) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<Broken>(p));
  });
  return d.take();
}

struct GateParams {
  std::int64_t sample = 0;
};

class GateOp final : public SampleOp {
 public:
  explicit GateOp(const GateParams& params) : m_sample(params.sample) {}
  Status process(Sample& sample, const OpContext&) override {
    if (sample.key().epoch == 0 && sample.key().index == m_sample) gate().pass();
    return {};
  }

 private:
  const std::int64_t m_sample;
};

NodeSpec gateKind() {
  auto d = describe<GateParams>("gate", Category::Tensor, NodeRole::Sample);
  d.integer("sample", &GateParams::sample).atLeast(0).help("Index.");
  d.infer([](const GateParams&, const StreamType& in, InferContext&) { return in; });
  d.sample([](const GateParams& p, const BuildContext&) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<GateOp>(p));
  });
  return d.take();
}

struct KeepParams {
  std::int64_t limit = 1000;
};

class Keep final : public SampleCache {
 public:
  explicit Keep(const KeepParams& params) : m_limit(static_cast<std::size_t>(params.limit)) {}
  bool load(Sample& sample) override {
    const MutexLock lock(m_mutex);
    const auto found = m_kept.find(sample.key().index);
    if (found == m_kept.end()) {
      ++m_misses;
      return false;
    }
    for (std::size_t f = 0; f < found->second.size(); ++f) {
      TensorView view = found->second[f].view;
      view.data = found->second[f].bytes.data();
      sample.borrow(f, view);
    }
    ++m_hits;
    return true;
  }
  bool holds(std::uint32_t index) const override {
    const MutexLock lock(m_mutex);
    return m_kept.find(index) != m_kept.end();
  }
  void store(const Sample& sample) override {
    const MutexLock lock(m_mutex);
    if (m_kept.size() >= m_limit) return;
    auto [place, fresh] = m_kept.try_emplace(sample.key().index);
    if (!fresh) return;
    for (std::size_t f = 0; f < sample.fields(); ++f)
      place->second.push_back(
          {sample[f], {sample[f].content().begin(), sample[f].content().end()}});
  }
  Fill fill() const override {
    const MutexLock lock(m_mutex);
    return {m_kept.size(), 0, m_limit, m_hits, m_misses};
  }

 private:
  struct Value {
    TensorView view;
    std::vector<std::byte> bytes;
  };
  const std::size_t m_limit;
  mutable Mutex m_mutex;
  std::map<std::uint32_t, std::vector<Value>> m_kept MILLRACE_GUARDED_BY(m_mutex);
  std::uint64_t m_hits MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::uint64_t m_misses MILLRACE_GUARDED_BY(m_mutex) = 0;
};

NodeSpec keepKind() {
  auto d = describe<KeepParams>("keep", Category::Cache, NodeRole::Cache);
  d.integer("limit", &KeepParams::limit).atLeast(0).help("Samples.");
  d.infer([](const KeepParams&, const StreamType& in, InferContext&) { return in; });
  d.cache([](const KeepParams& p, const BuildContext&) -> Result<std::shared_ptr<SampleCache>> {
    return std::shared_ptr<SampleCache>(std::make_shared<Keep>(p));
  });
  return d.take();
}

std::atomic<int> lapsMade{0};
std::atomic<int> lapsWarm{0};

class Laps final : public SampleOp {
 public:
  Laps() { ++lapsMade; }
  Status process(Sample&, const OpContext&) override {
    if (++m_count == 200) ++lapsWarm;
    return {};
  }

 private:
  int m_count = 0;
};

NodeSpec lapsKind() {
  auto d = describe<None>("laps", Category::Tensor, NodeRole::Sample);
  d.infer(same);
  d.sample([](const None&, const BuildContext&) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<Laps>());
  });
  return d.take();
}

std::atomic<std::uint64_t> napsBegun{0};
std::atomic<unsigned> napsBegunAhead{0};

struct NapParams {
  std::int64_t oneIn = 20;
  std::int64_t count = 1;
};

class Nap final : public SampleOp {
 public:
  explicit Nap(const NapParams& params) : m_params(params) {}
  Status process(Sample& sample, const OpContext&) override {
    constexpr std::uint64_t kClearlyAhead = 40;
    const SampleKey& key = sample.key();
    const std::uint64_t begun = napsBegun++;
    const std::uint64_t turn = key.epoch * static_cast<std::uint64_t>(m_params.count) + key.index;
    if (turn > begun + kClearlyAhead) ++napsBegunAhead;
    const bool isLong = key.index % m_params.oneIn == 0;
    std::this_thread::sleep_for(std::chrono::microseconds(isLong ? 4000 : 20));
    return {};
  }

 private:
  const NapParams m_params;
};

NodeSpec napKind() {
  auto d = describe<NapParams>("nap", Category::Tensor, NodeRole::Sample);
  d.integer("one_in", &NapParams::oneIn).atLeast(1).help("Samples.");
  d.integer("count", &NapParams::count).atLeast(1).help("Samples of an epoch.");
  d.infer([](const NapParams&, const StreamType& in, InferContext&) { return in; });
  d.sample([](const NapParams& p, const BuildContext&) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<Nap>(p));
  });
  return d.take();
}

class Stamp final : public BatchOp {
 public:
  Status process(Batch& batch, const BatchContext&) override {
    char name[32] = {};
    pthread_getname_np(pthread_self(), name, sizeof name);
    {
      StampNotes& notes = stampNotes();
      const MutexLock lock(notes.mutex);
      notes.threads.emplace_back(name);
    }
    for (std::size_t r = 0; r < batch.rows; ++r) {
      const TensorView row = batch.fields[0].rows[r];
      for (std::size_t i = 0; i < row.bytes; ++i)
        row.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(row.as<std::uint8_t>()[i] + r);
    }
    return {};
  }
};

NodeSpec stampKind() {
  auto d = describe<None>("stamp", Category::Tensor, NodeRole::BatchOp);
  d.infer(same);
  d.batchOp([](const None&, const BuildContext&) -> Result<std::unique_ptr<BatchOp>> {
    return std::unique_ptr<BatchOp>(std::make_unique<Stamp>());
  });
  return d.take();
}

struct StepParams {
  double seconds = 60;
};

class LongStep final : public Consumer {
 public:
  explicit LongStep(const StepParams& params)
      : m_nominal(static_cast<std::int64_t>(params.seconds * 1e9)) {}
  Status consume(const Batch&, StepWaiter& waiter, std::chrono::nanoseconds& step) override {
    const SteadyTime begin = std::chrono::steady_clock::now();
    (void)waiter.waitUntil(begin + m_nominal);
    step = std::chrono::steady_clock::now() - begin;
    return {};
  }
  std::chrono::nanoseconds nominalStep(std::size_t) const override { return m_nominal; }

 private:
  const std::chrono::nanoseconds m_nominal;
};

NodeSpec longStepKind() {
  auto d = describe<StepParams>("long_step", Category::Consumer, NodeRole::Consumer);
  d.real("seconds", &StepParams::seconds).range(0, 1000).live().help("Of a step.");
  d.infer([](const StepParams&, const StreamType& in, InferContext&) { return in; });
  d.consumer([](const StepParams& p, const BuildContext&) -> Result<std::unique_ptr<Consumer>> {
    return std::unique_ptr<Consumer>(std::make_unique<LongStep>(p));
  });
  return d.take();
}

}  // namespace

bool everyThreadIsWarm() { return lapsWarm == lapsMade; }

void forgetLaps() { lapsMade = lapsWarm = 0; }

unsigned napsAhead() { return napsBegunAhead; }

void forgetNaps() {
  napsBegun = 0;
  napsBegunAhead = 0;
}

std::vector<std::string> takeStampThreads() {
  StampNotes& notes = stampNotes();
  const MutexLock lock(notes.mutex);
  std::vector<std::string> threads;
  threads.swap(notes.threads);
  std::sort(threads.begin(), threads.end());
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  return threads;
}

const Catalog& runCatalog() {
  static const Catalog catalog = [] {
    Catalog all = builtinCatalog();
    for (NodeSpec (*make)() : {wordsKind, tintKind, chaosKind, brokenKind, gateKind, keepKind,
                               lapsKind, napKind, stampKind, longStepKind, twiceKind})
      all.add(withDeviceSide(make()));
    return all;
  }();
  return catalog;
}

}  // namespace millrace::tests
