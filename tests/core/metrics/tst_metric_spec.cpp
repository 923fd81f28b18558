// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/metric_spec.h"

#include <cctype>
#include <set>
#include <string>

#include "tests/support/test_case.h"

namespace millrace {

class TestMetricSpec : public QObject {
  Q_OBJECT
 private slots:
  void everyFigureOfTheCommandLineIsDescribed() {
    for (const char* id :
         {"samples_per_second", "batches_per_second", "input_bytes_per_second",
          "cpu_seconds_per_1000_samples", "peak_rss_bytes", "failed_samples", "step_share",
          "accelerator.utilisation", "accelerator.memory_utilisation", "node.items",
          "node.busy_seconds", "node.cpu_seconds", "node.mean_ms", "queue.capacity",
          "queue.mean_fill", "queue.empty_share", "queue.full_share"})
      QVERIFY2(findMetric(id) != nullptr, id);
    QVERIFY(findMetric("nonsense") == nullptr);
  }

  void everyDescriptionIsWhole() {
    std::set<std::string_view> ids;
    for (const MetricSpec& spec : metricSpecs()) {
      const std::string id(spec.id);
      QVERIFY2(ids.insert(spec.id).second, id.c_str());
      QVERIFY2(!spec.name.empty() && std::isupper(spec.name.front()), id.c_str());
      QVERIFY2(spec.meaning.ends_with('.') && spec.reading.ends_with('.'), id.c_str());
      QVERIFY2(spec.meaning != spec.reading, id.c_str());
      QCOMPARE(findMetric(spec.id), &spec);
    }
  }

  void idsAreInLowerSnakeCaseBehindTheirScope() {
    for (const MetricSpec& spec : metricSpecs()) {
      const std::string id(spec.id);
      QVERIFY2(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == id.npos,
               id.c_str());
      QCOMPARE(spec.scope == MetricScope::Run, id.find('.') == id.npos);
    }
  }
};

}  // namespace millrace

using millrace::TestMetricSpec;
MILLRACE_TEST_CASE(TestMetricSpec)
#include "tst_metric_spec.moc"
