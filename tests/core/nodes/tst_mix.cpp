// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/spec/order_warnings.h"
#include "tests/core/nodes/open_source.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::inferNode;
using tests::makeOrder;
using Order = std::vector<SampleIndex>;

/// Paths with these numbers of samples, numbered one path after the other.
class Paths final : public Source {
 public:
  explicit Paths(std::vector<std::uint32_t> sizes) {
    for (const std::uint32_t size : sizes) m_ends.push_back(this->size() + size);
  }
  std::uint32_t size() const override { return m_ends.empty() ? 0 : m_ends.back(); }
  std::vector<FieldSpec> fields() const override { return {}; }
  std::string name(std::uint32_t) const override { return {}; }
  std::uint32_t pathOf(std::uint32_t index) const override {
    return static_cast<std::uint32_t>(std::ranges::upper_bound(m_ends, index) - m_ends.begin());
  }
  std::unique_ptr<SourceReader> reader() const override { return nullptr; }

 private:
  std::vector<std::uint32_t> m_ends;
};

/// The order of an epoch in which the samples arrive as numbered.
Order mixed(const Paths& source, const Values& values, std::uint32_t epoch = 0) {
  Order order(source.size());
  for (std::uint32_t i = 0; i < source.size(); ++i) order[i] = {i, 0};
  makeOrder("mix", values)->apply(order, {42, epoch, 7, false, &source});
  return order;
}

std::vector<std::size_t> countsOf(const Paths& source, const Order& order, std::size_t paths) {
  std::vector<std::size_t> counts(paths);
  for (const SampleIndex& entry : order) ++counts[source.pathOf(entry.index)];
  return counts;
}

/// The largest difference between the number of a path's samples and its share of them, among the
/// first samples of an epoch.
double farthest(const Paths& source, const Order& order, const RealList& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> taken(weights.size());
  double most = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    ++taken[source.pathOf(order[i].index)];
    for (std::size_t p = 0; p < weights.size(); ++p)
      most = std::max(most, std::abs(taken[p] - weights[p] / sum * static_cast<double>(i + 1)));
  }
  return most;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

std::string problemOf(const Values& values, std::int64_t paths) {
  Problems problems;
  StreamType in;
  in.paths = paths;
  in.samples = 10;
  (void)inferNode("mix", values, in, problems);
  return problems.all().empty() ? "" : problems.all().front().text();
}

}  // namespace

class TestMix : public QObject {
  Q_OBJECT
 private slots:
  void everyPathHasItsShareAtAnyTime() {
    for (const RealList& weights :
         {RealList{1, 1}, RealList{0.7, 0.3}, RealList{5, 3, 1}, RealList{1, 10, 100, 3},
          RealList{0.31, 0.29, 0.2, 0.11, 0.09}, RealList{1, 1, 1, 1, 1, 1, 1, 993}}) {
      const Paths source(std::vector<std::uint32_t>(weights.size(), 20000));
      const Order order = mixed(source, {{"weights", weights}});
      QVERIFY(order.size() >= 20000);
      const auto paths = static_cast<double>(weights.size());
      const double most = farthest(source, order, weights);
      QVERIFY2(most <= 1 - 1 / (2 * paths - 2) + 1e-6, qPrintable(QString::number(most)));
    }
  }

  void samplesOfAPathKeepTheirOrder() {
    const Paths source({50, 80});
    const Order order =
        mixed(source, {{"weights", RealList{1, 3}}, {"until", std::string("shortest")}});
    for (const std::uint32_t path : {0U, 1U}) {
      std::vector<std::uint32_t> seen;
      for (const SampleIndex& entry : order)
        if (source.pathOf(entry.index) == path) seen.push_back(entry.index);
      std::vector<std::uint32_t> expected(seen.size());
      std::iota(expected.begin(), expected.end(), path == 0 ? 0U : 50U);
      QCOMPARE(seen, expected);
    }
  }

  void anEpochEndsWithTheShortestOrTheLongestPath() {
    const Paths source({100, 1000});
    Values equal{{"weights", RealList{1, 1}}};
    QCOMPARE(countsOf(source, mixed(source, equal), 2), (std::vector<std::size_t>{550, 550}));
    equal["until"] = std::string("shortest");
    QCOMPARE(countsOf(source, mixed(source, equal), 2), (std::vector<std::size_t>{100, 100}));
    equal["until"] = std::string("longest");
    const Order all = mixed(source, equal);
    QCOMPARE(countsOf(source, all, 2), (std::vector<std::size_t>{1000, 1000}));
    // The tenth time that a sample comes, it is the tenth copy, which draws its own numbers.
    std::vector<SampleIndex> sorted = all;
    std::ranges::sort(sorted, {},
                      [](const SampleIndex& entry) { return std::pair(entry.index, entry.copy); });
    QVERIFY(std::ranges::adjacent_find(sorted) == sorted.end());
    QCOMPARE(std::ranges::max(all, {}, &SampleIndex::copy).copy, 9U);
  }

  void sharesFollowTheNumbersOfSamplesAndTheTemperature() {
    const Paths source({900, 100});
    QCOMPARE(countsOf(source, mixed(source, {}), 2), (std::vector<std::size_t>{900, 100}));
    // The square roots of the numbers: 3 to 1.
    const Order order = mixed(source, {{"temperature", 2.0}});
    QVERIFY(farthest(source, order, {3, 1}) <= 0.5 + 1e-6);
    QVERIFY(farthest(source, mixed(source, {{"temperature", 1000.0}}), {1, 1}) <= 1);
  }

  void weightsChangeFromEpochToEpoch() {
    const Paths source({5000, 5000});
    const Values values{{"weights", RealList{1, 0.25}},
                        {"final_weights", RealList{1, 1}},
                        {"final_epoch", std::int64_t{2}}};
    for (const auto& [epoch, weights] : std::vector<std::pair<std::uint32_t, RealList>>{
             {0, {0.8, 0.2}}, {1, {0.65, 0.35}}, {2, {0.5, 0.5}}, {9, {0.5, 0.5}}})
      QVERIFY(farthest(source, mixed(source, values, epoch), weights) <= 0.5 + 1e-6);
  }

  void aPathWithoutSamplesLeavesItsShareToTheOthers() {
    const Paths source({300, 0, 100});
    const Values values{{"weights", RealList{3, 4, 1}}};
    QCOMPARE(countsOf(source, mixed(source, values), 3), (std::vector<std::size_t>{300, 0, 100}));
    const auto op = makeOrder("mix", values);
    const auto warnings = dynamic_cast<const OrderWarnings&>(*op).warnings(source);
    QCOMPARE(warnings.size(), std::size_t{1});
    QVERIFY2(has(warnings[0].message, "path number 2 has no samples"), warnings[0].message.c_str());
  }

  void wrongWeightsAreRefused() {
    QCOMPARE(problemOf({{"weights", RealList{2, 1}}}, 2), std::string());
    QCOMPARE(problemOf({}, 3), std::string());
    QVERIFY(has(problemOf({}, 1), "one path, so there is nothing to mix"));
    QVERIFY(has(problemOf({{"weights", RealList{1, 1}}}, 3), "2 weights for the source's 3 paths"));
    QVERIFY(has(problemOf({{"weights", RealList{0, 1}}}, 2), "more than 0"));
    QVERIFY(has(problemOf({{"weights", RealList{1, 2000}}}, 2), "at most 1000 times another"));
    QVERIFY(has(problemOf({{"final_weights", RealList{1}}}, 2), "1 weight for"));
  }

  void aSampleKnowsItsPath() {
    BuildContext context;
    context.in.fields.resize(1);
    context.source = std::make_shared<Paths>(std::vector<std::uint32_t>{3, 0, 2});
    const Values values = tests::valuesOf("path_number", {});
    const auto op = builtinCatalog().find("path_number")->sample(values, context).take();
    const std::int64_t expected[] = {0, 0, 0, 2, 2};
    for (std::uint32_t index = 0; index < 5; ++index) {
      Sample sample(2);
      sample.reset({0, index, 0}, 2);
      VERIFY_OK(op->process(sample, {}));
      QCOMPARE(sample[1].shape.rank(), std::size_t{0});
      QCOMPARE(*sample[1].as<const std::int64_t>(), expected[index]);
    }
    Problems problems;
    StreamType in;
    in.fields = {{"path", DType::F32, {}, Layout::Plain, Role::Features}};
    inferNode("path_number", {}, in, problems);
    QVERIFY(problems.anyError());
  }
};

}  // namespace millrace

using millrace::TestMix;
MILLRACE_TEST_CASE(TestMix)
#include "tst_mix.moc"
