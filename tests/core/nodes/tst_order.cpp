// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/spec/order_warnings.h"
#include "tests/core/nodes/open_source.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::inferNode;
using tests::makeOrder;
using Order = std::vector<SampleIndex>;

Order ordered(std::uint32_t count) {
  Order order(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = {i, 0};
  return order;
}

std::vector<std::uint32_t> indices(const Order& order) {
  std::vector<std::uint32_t> all;
  for (const SampleIndex& entry : order) all.push_back(entry.index);
  return all;
}

/// Names and labels only; cannot be read.
class NamedSource final : public Source {
 public:
  NamedSource(std::vector<std::string> names, std::vector<std::int64_t> labels)
      : m_names(std::move(names)), m_labels(std::move(labels)) {}
  std::uint32_t size() const override { return static_cast<std::uint32_t>(m_names.size()); }
  std::vector<FieldSpec> fields() const override { return {}; }
  std::string name(std::uint32_t index) const override { return m_names[index]; }
  std::int64_t labelOf(std::uint32_t index) const override { return m_labels[index]; }
  std::unique_ptr<SourceReader> reader() const override { return nullptr; }

 private:
  std::vector<std::string> m_names;
  std::vector<std::int64_t> m_labels;
};

/// Samples in files, with this many per file.
class FiledSource final : public Source {
 public:
  explicit FiledSource(const std::vector<std::uint32_t>& sizes) {
    for (std::size_t f = 0; f < sizes.size(); ++f)
      m_files.insert(m_files.end(), sizes[f], "file " + std::to_string(f));
  }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(m_files.size()); }
  std::vector<FieldSpec> fields() const override { return {}; }
  std::string name(std::uint32_t) const override { return {}; }
  std::string file(std::uint32_t index) const override {
    ++m_asked;
    return m_files[index];
  }
  std::unique_ptr<SourceReader> reader() const override { return nullptr; }
  int asked() const { return m_asked; }

 private:
  std::vector<std::string> m_files;
  mutable int m_asked = 0;
};

OrderContext context(std::uint32_t epoch = 0, const Source* source = nullptr) {
  return {42, epoch, 7, false, source};
}

Order applied(const std::string& kind, const Values& values, Order order,
              const OrderContext& where) {
  makeOrder(kind, values)->apply(order, where);
  return order;
}

/// What a split reports.
std::vector<OrderWarning> warnings(const Values& values, const Source& source) {
  const auto split = makeOrder("split", values);
  return dynamic_cast<const OrderWarnings&>(*split).warnings(source);
}

Values window(std::int64_t size) { return {{"mode", std::string("window")}, {"window", size}}; }

Values interleave(std::int64_t files, std::int64_t size) {
  return {{"mode", std::string("interleave")}, {"files", files}, {"window", size}};
}

Values shardOf(std::int64_t rank, std::int64_t world, const char* uneven) {
  return {{"rank", rank}, {"world", world}, {"uneven", std::string(uneven)}};
}

NamedSource numbered(std::uint32_t count, std::uint32_t from = 0) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count; ++i)
    names.push_back("class/image_" + std::to_string(from + i) + ".jpg");
  return {names, std::vector<std::int64_t>(count, -1)};
}

}  // namespace

class TestOrder : public QObject {
  Q_OBJECT
 private slots:
  void shuffleIsAPermutationThatChangesWithTheEpoch() {
    for (const Values& values : {Values{}, window(50)}) {
      const Order first = applied("shuffle", values, ordered(1000), context(0));
      std::vector<std::uint32_t> sorted = indices(first);
      std::sort(sorted.begin(), sorted.end());
      QCOMPARE(sorted, indices(ordered(1000)));
      QVERIFY(first == applied("shuffle", values, ordered(1000), context(0)));
      QVERIFY(!(first == applied("shuffle", values, ordered(1000), context(1))));
      QVERIFY(!(first == ordered(1000)));
    }
  }

  void fullShuffleReachesEveryOrderEvenly() {
    std::map<std::vector<std::uint32_t>, int> seen;
    for (std::uint32_t epoch = 0; epoch < 24000; ++epoch)
      ++seen[indices(applied("shuffle", {}, ordered(4), context(epoch)))];
    QCOMPARE(seen.size(), 24U);
    // Binomial(24000, 1/24) has a standard deviation of 31; allow five.
    for (const auto& [order, count] : seen) QVERIFY(std::abs(count - 1000) < 155);
  }

  void windowShuffleDrawsNoFartherAheadThanItsWindow() {
    const Order order = applied("shuffle", window(10), ordered(1000), context());
    for (std::uint32_t i = 0; i < 1000; ++i) QVERIFY(order[i].index < i + 10);
    QVERIFY(applied("shuffle", window(1), ordered(100), context()) == ordered(100));
    QCOMPARE(applied("shuffle", window(5000), ordered(100), context()).size(), 100U);
  }

  void interleavedFilesAreReadByTurnsEachFromFrontToBack() {
    const FiledSource source({50, 1, 70, 30, 49});
    std::set<std::string> first;
    for (std::uint32_t epoch = 0; epoch < 40; ++epoch) {
      const Order order =
          applied("shuffle", interleave(2, 1), ordered(200), context(epoch, &source));
      std::vector<std::uint32_t> sorted = indices(order);
      std::sort(sorted.begin(), sorted.end());
      QCOMPARE(sorted, indices(ordered(200)));
      std::map<std::string, std::uint32_t> last;
      for (const SampleIndex& entry : order) {
        const auto [known, isNew] = last.try_emplace(source.file(entry.index), entry.index);
        QVERIFY(isNew || entry.index == known->second + 1);
        known->second = entry.index;
      }
      // The first two files in turn, until the shorter one ends.
      const std::string one = source.file(order[0].index);
      const std::string two = source.file(order[1].index);
      QVERIFY(one != two);
      if (one != "file 1" && two != "file 1")
        for (std::size_t i = 2; i < 60; ++i)
          QCOMPARE(source.file(order[i].index), i % 2 == 0 ? one : two);
      first.insert(one);
    }
    QCOMPARE(first.size(), std::size_t{5});
  }

  void interleavedFilesAreDrawnFromAWindowAsWell() {
    const FiledSource source({100, 100, 100});
    const Order still = applied("shuffle", interleave(3, 1), ordered(300), context(0, &source));
    const Order drawn = applied("shuffle", interleave(3, 20), ordered(300), context(0, &source));
    std::map<std::uint32_t, std::size_t> place;
    for (std::size_t i = 0; i < still.size(); ++i) place[still[i].index] = i;
    for (std::size_t i = 0; i < drawn.size(); ++i) QVERIFY(place[drawn[i].index] < i + 20);
    QVERIFY(!(still == drawn));
    QVERIFY(drawn == applied("shuffle", interleave(3, 20), ordered(300), context(0, &source)));
  }

  void interleavingFollowsWhateverOrderComesIn() {
    const FiledSource source({40, 40});
    Order backwards = ordered(80);
    std::reverse(backwards.begin(), backwards.end());
    for (Order order :
         {Order(), Order{{5, 0}}, Order{{5, 0}, {5, 1}, {41, 0}, {3, 0}}, backwards}) {
      auto sorted = [](Order entries) {
        std::sort(entries.begin(), entries.end(), [](const SampleIndex& a, const SampleIndex& b) {
          return std::pair(a.index, a.copy) < std::pair(b.index, b.copy);
        });
        return entries;
      };
      QVERIFY(sorted(applied("shuffle", interleave(3, 4), order, context(0, &source))) ==
              sorted(order));
    }
  }

  /// Data sets may have millions of samples in a few files.
  void fewSamplesAreAskedForTheirFile() {
    const FiledSource source({100000, 1, 200000});
    (void)applied("shuffle", interleave(2, 1), ordered(300001), context(0, &source));
    QVERIFY2(source.asked() < 200, qPrintable(QString::number(source.asked())));
  }

  void noRandomKeepsTheOrder() {
    OrderContext still = context();
    still.noRandom = true;
    QVERIFY(applied("shuffle", {}, ordered(100), still) == ordered(100));
    QVERIFY(applied("shuffle", window(10), ordered(100), still) == ordered(100));
  }

  void shardsAreDisjointAndCoverEverything() {
    for (const std::uint32_t size : {1U, 4U, 10U, 12U}) {
      std::vector<std::uint32_t> all;
      for (std::int64_t rank = 0; rank < 4; ++rank) {
        const Order part = applied("shard", shardOf(rank, 4, "allow"), ordered(size), context());
        QVERIFY(part.size() == size / 4 || part.size() == size / 4 + 1);
        for (const SampleIndex& entry : part) all.push_back(entry.index);
      }
      std::sort(all.begin(), all.end());
      QCOMPARE(all, indices(ordered(size)));
    }
  }

  void evenShardsAreEquallyLong() {
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      QCOMPARE(applied("shard", shardOf(rank, 4, "pad"), ordered(10), context()).size(), 3U);
      QCOMPARE(applied("shard", shardOf(rank, 4, "drop"), ordered(10), context()).size(), 2U);
      QCOMPARE(applied("shard", shardOf(rank, 4, "pad"), ordered(3), context()).size(), 1U);
      QCOMPARE(applied("shard", shardOf(rank, 4, "drop"), ordered(3), context()).size(), 0U);
    }
    // Padding repeats samples from the start, like torch's DistributedSampler.
    QCOMPARE(indices(applied("shard", shardOf(3, 4, "pad"), ordered(10), context())),
             (std::vector<std::uint32_t>{3, 7, 1}));
    QVERIFY(applied("shard", shardOf(3, 4, "pad"), {}, context()).empty());
  }

  void shardKnowsItsSizeBeforeTheRun() {
    for (const char* uneven : {"pad", "drop", "allow"})
      for (std::int64_t rank = 0; rank < 4; ++rank) {
        StreamType in;
        in.samples = 10;
        Problems problems;
        const Values values = shardOf(rank, 4, uneven);
        const auto size = inferNode("shard", values, in, problems).samples;
        const auto real = applied("shard", values, ordered(10), context()).size();
        QCOMPARE(*size, static_cast<std::int64_t>(real));
      }
    Problems problems;
    inferNode("shard", shardOf(4, 4, "pad"), {}, problems);
    QVERIFY(problems.anyError());
  }

  void takeTakesAPart() {
    const Values values{{"count", std::int64_t{3}}, {"skip", std::int64_t{8}}};
    QCOMPARE(indices(applied("take", values, ordered(10), context())),
             (std::vector<std::uint32_t>{8, 9}));
    QCOMPARE(indices(applied("take", values, ordered(20), context())),
             (std::vector<std::uint32_t>{8, 9, 10}));
    QVERIFY(applied("take", values, ordered(5), context()).empty());
    StreamType in;
    in.samples = 10;
    Problems problems;
    QCOMPARE(*inferNode("take", values, in, problems).samples, 2);
    QVERIFY(!problems.anyError());
    in.samples = 8;
    inferNode("take", values, in, problems);
    QVERIFY(problems.anyError());
  }

  void repeatGoesOnWithTheRounds() {
    const Values twice{{"count", std::int64_t{2}}};
    Order order = applied("repeat", twice, ordered(2), context());
    QVERIFY((order == Order{{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
    order = applied("repeat", twice, order, context());
    std::set<std::pair<std::uint32_t, std::uint32_t>> different;
    for (const SampleIndex& entry : order) different.insert({entry.index, entry.copy});
    QCOMPARE(different.size(), 8U);
    StreamType in;
    in.samples = std::int64_t{1} << 31U;
    Problems problems;
    inferNode("repeat", twice, in, problems);
    QVERIFY(problems.anyError());
  }

  void splitPartsBySharesThatAddUp() {
    const NamedSource source = numbered(10000);
    const Values train{{"share", 0.2}};
    const Values validation{{"share", 0.2}, {"part", std::string("validation")}};
    const auto a = indices(applied("split", train, ordered(10000), context(0, &source)));
    const auto b = indices(applied("split", validation, ordered(10000), context(0, &source)));
    std::vector<std::uint32_t> all = a;
    all.insert(all.end(), b.begin(), b.end());
    std::sort(all.begin(), all.end());
    QCOMPARE(all, indices(ordered(10000)));
    // Binomial(10000, 0.2) has a standard deviation of 40; allow five.
    QVERIFY(std::abs(static_cast<int>(b.size()) - 2000) < 200);
  }

  void splitDividesEachClassExactly() {
    // 12 samples of class 0, five of class 1, two of class 2, one of class 3.
    std::vector<std::string> names;
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 20; ++i) {
      names.push_back("picture " + std::to_string(i));
      labels.push_back(i < 12 ? 0 : i < 17 ? 1 : i < 19 ? 2 : 3);
    }
    const NamedSource source(names, labels);
    std::map<std::int64_t, int> counts;
    std::vector<std::uint32_t> all;
    for (const char* part : {"train", "validation"}) {
      const Values values{{"share", 0.25}, {"part", std::string(part)}, {"each_class", true}};
      const auto chosen = indices(applied("split", values, ordered(20), context(0, &source)));
      all.insert(all.end(), chosen.begin(), chosen.end());
      if (part == std::string("validation"))
        for (const std::uint32_t i : chosen) ++counts[labels[i]];
      QVERIFY(warnings(values, source).empty());
    }
    QVERIFY((counts == std::map<std::int64_t, int>{{0, 3}, {1, 1}, {2, 1}}));
    std::ranges::sort(all);
    QCOMPARE(all, indices(ordered(20)));
  }

  void splitReportsAPartThatIsFarFromItsShareOrLacksAClass() {
    const NamedSource many = numbered(10000);
    const Values tenth{{"share", 0.1}, {"part", std::string("validation")}};
    QVERIFY(warnings(tenth, many).empty());

    // Each name's place is fixed: of these 30, the last five are all in the training part.
    std::vector<std::string> names;
    std::vector<std::int64_t> labels(30, 0);
    for (int i = 0; names.size() < 30; ++i) {
      const std::string name = "picture " + std::to_string(i);
      const NamedSource one({name}, {0});
      const bool isValidation = !applied("split", tenth, ordered(1), context(0, &one)).empty();
      if (names.size() < 3 ? isValidation : !isValidation) names.push_back(name);
    }
    std::fill(labels.end() - 5, labels.end(), 1);
    const auto lacking = warnings(tenth, NamedSource(names, labels));
    QCOMPARE(lacking.size(), 1U);
    QCOMPARE(lacking.front().message,
             std::string("the validation part has 3 of 30 samples (10 %; the share asks for "
                         "10 %); 1 has none of its 5 samples there"));
    QVERIFY(lacking.front().remedy.find("each_class") != std::string::npos);

    names.resize(4);
    labels.resize(4);
    const Values train{{"share", 0.1}};
    const auto far = warnings(train, NamedSource(names, labels));
    QCOMPARE(far.size(), 1U);
    QCOMPARE(far.front().message, std::string("the training part has 1 of 4 samples (25 %; the "
                                              "share asks for 90 %)"));
  }

  void splitNeverMovesASample() {
    const NamedSource few = numbered(1000, 500);
    const NamedSource many = numbered(3000);
    const Values values{{"share", 0.3}, {"part", std::string("validation")}};
    std::set<std::string> before;
    for (const std::uint32_t i : indices(applied("split", values, ordered(1000), context(0, &few))))
      before.insert(few.name(i));
    std::set<std::string> after;
    for (const std::uint32_t i :
         indices(applied("split", values, ordered(3000), context(1, &many))))
      after.insert(many.name(i));
    QVERIFY(std::includes(after.begin(), after.end(), before.begin(), before.end()));
    QVERIFY(after.size() > before.size());
  }

  void balanceGivesEveryClassItsTurn() {
    // Class 0 has 6 samples, class 2 has 2, class 5 one; one has none.
    const NamedSource source(std::vector<std::string>(10, "x"), {0, 0, 2, 0, 5, 0, -1, 2, 0, 0});
    const auto counts = [&](const char* to, std::uint32_t epoch) {
      const Order order =
          applied("balance", {{"to", std::string(to)}}, ordered(10), context(epoch, &source));
      std::map<std::int64_t, int> byClass;
      std::set<std::pair<std::uint32_t, std::uint32_t>> different;
      for (std::size_t i = 0; i < order.size(); ++i) {
        ++byClass[source.labelOf(order[i].index)];
        different.insert({order[i].index, order[i].copy});
      }
      // No two copies of a sample have the same draws.
      if (different.size() != order.size()) byClass.clear();
      return byClass;
    };
    for (std::uint32_t epoch = 0; epoch < 5; ++epoch) {
      QCOMPARE(counts("largest", epoch), (std::map<std::int64_t, int>{{0, 6}, {2, 6}, {5, 6}}));
      QCOMPARE(counts("smallest", epoch), (std::map<std::int64_t, int>{{0, 1}, {2, 1}, {5, 1}}));
      QCOMPARE(counts("mean", epoch), (std::map<std::int64_t, int>{{0, 3}, {2, 3}, {5, 3}}));
    }
  }

  void balanceDrawsAnewButNotWithoutRandomness() {
    std::vector<std::int64_t> labels(100, 0);
    labels[3] = labels[50] = 1;
    const NamedSource source(std::vector<std::string>(100, "x"), labels);
    const Values smallest{{"to", std::string("smallest")}};
    const auto of = [&](std::uint32_t epoch, bool noRandom) {
      OrderContext where = context(epoch, &source);
      where.noRandom = noRandom;
      return indices(applied("balance", smallest, ordered(100), where));
    };
    QVERIFY(of(0, false) != of(1, false));
    QCOMPARE(of(0, false), of(0, false));
    QCOMPARE(of(0, true), (std::vector<std::uint32_t>{0, 3, 1, 50}));
  }

  void balanceNeedsLabels() {
    StreamType in;
    in.fields = {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image}};
    Problems problems;
    inferNode("balance", {}, in, problems);
    QVERIFY(problems.anyError());
  }
};

}  // namespace millrace

using millrace::TestOrder;
MILLRACE_TEST_CASE(TestOrder)
#include "tst_order.moc"
