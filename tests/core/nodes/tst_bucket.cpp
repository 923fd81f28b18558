// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "core/codecs/encode.h"
#include "tests/core/nodes/open_source.h"
#include "tests/support/needs_part.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::inferNode;
using tests::makeOrder;
using Order = std::vector<SampleIndex>;

/// Samples whose label is their number modulo seven.
class Labelled final : public Source {
 public:
  explicit Labelled(std::uint32_t size) : m_size(size) {}
  std::uint32_t size() const override { return m_size; }
  std::vector<FieldSpec> fields() const override { return {}; }
  std::string name(std::uint32_t) const override { return {}; }
  std::int64_t labelOf(std::uint32_t index) const override { return index % 7; }
  std::unique_ptr<SourceReader> reader() const override { return nullptr; }

 private:
  const std::uint32_t m_size;
};

Order bucketed(const Source& source, const char* by, std::size_t step, std::int64_t window,
               std::uint32_t epoch = 0, bool noRandom = false) {
  Order order(source.size());
  for (std::uint32_t i = 0; i < source.size(); ++i) order[i] = {i, 0};
  const auto op = makeOrder("bucket", {{"by", std::string(by)}, {"window", window}});
  op->apply(order, {42, epoch, 7, noRandom, &source, step});
  return order;
}

std::set<std::int64_t> labelsIn(const Source& source, const Order& order, std::size_t from,
                                std::size_t count) {
  std::set<std::int64_t> labels;
  for (std::size_t i = from; i < from + count; ++i) labels.insert(source.labelOf(order[i].index));
  return labels;
}

std::string problemOf(const char* by, const std::vector<FieldSpec>& fields) {
  Problems problems;
  StreamType in;
  in.fields = fields;
  (void)inferNode("bucket", {{"by", std::string(by)}}, in, problems);
  return problems.all().empty() ? "" : problems.all().front().text();
}

}  // namespace

class TestBucket : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { MILLRACE_NEEDS_PART("muparser"); }

  void aBatchHasSamplesOfOneSize() {
    const Labelled source(7 * 40);
    const Order order = bucketed(source, "label", 8, 100);
    Order sorted = order;
    std::ranges::sort(sorted, {}, &SampleIndex::index);
    for (std::uint32_t i = 0; i < source.size(); ++i) QCOMPARE(sorted[i].index, i);
    std::vector<std::int64_t> firsts;
    for (std::size_t batch = 0; batch < 35; ++batch) {
      const auto labels = labelsIn(source, order, batch * 8, 8);
      QCOMPARE(labels.size(), std::size_t{1});
      firsts.push_back(*labels.begin());
    }
    QVERIFY2(!std::ranges::is_sorted(firsts), "batches come in a random order");
    QVERIFY(bucketed(source, "label", 8, 100) == order);
    QVERIFY(bucketed(source, "label", 8, 100, 1) != order);
  }

  void aWindowLimitsHowFarASampleMoves() {
    const Labelled source(1000);
    const Order order = bucketed(source, "label", 5, 4);
    for (std::size_t i = 0; i < order.size(); ++i) QCOMPARE(order[i].index / 20, i / 20);
  }

  void aShortBatchStaysLast() {
    const Labelled source(7 * 8 + 3);
    for (std::uint32_t epoch = 0; epoch < 20; ++epoch) {
      const Order order = bucketed(source, "-index", 8, 100, epoch);
      // The three samples with the largest keys.
      const std::vector<std::uint32_t> last{order[56].index, order[57].index, order[58].index};
      QCOMPARE(last, (std::vector<std::uint32_t>{2, 1, 0}));
    }
  }

  void withoutRandomDrawsTheBatchesAreSorted() {
    const Labelled source(70);
    const Order order = bucketed(source, "label", 10, 100, 0, true);
    QVERIFY(std::ranges::is_sorted(
        order, {}, [&](const SampleIndex& entry) { return source.labelOf(entry.index); }));
  }

  void picturesAreMeasuredWithoutDecodingThem() {
    const tests::TemporaryFolder folder;
    for (int i = 0; i < 12; ++i) {
      const int width = i % 2 == 0 ? 8 : 16;
      const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * 8 * 3);
      const auto png = encodePng({pixels.data(), width, 8, 3, std::ptrdiff_t{3} * width});
      VERIFY_OK(png);
      folder.write("a/" + std::to_string(100 + i) + ".png",
                   std::string(reinterpret_cast<const char*>(png->data()), png->size()));
    }
    folder.write("a/200.png", "no picture");
    const auto source = tests::openSource("image_folder", {{"paths", TextList{folder.path()}}});
    VERIFY_OK(source);
    const Order order = bucketed(**source, "width / height", 3, 100);
    for (std::size_t batch = 0; batch < 4; ++batch) {
      std::set<std::uint32_t> parity;
      for (std::size_t i = 0; i < 3; ++i) parity.insert(order[batch * 3 + i].index % 2);
      QCOMPARE(parity.size(), std::size_t{1});
    }
    QCOMPARE(order.back().index, 12U);
  }

  void aFormulaThatCannotBeComputedIsRefused() {
    const FieldSpec picture{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image};
    const FieldSpec number{"length", DType::I64, {}, Layout::Plain, Role::Features};
    QCOMPARE(problemOf("width / height", {picture}), std::string());
    QCOMPARE(problemOf("length", {number}), std::string());
    QVERIFY(problemOf("lenght", {number}).find("lenght") != std::string::npos);
    QVERIFY(problemOf("width", {number}).find("no picture, so `width` is unknown") !=
            std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestBucket;
MILLRACE_TEST_CASE(TestBucket)
#include "tst_bucket.moc"
