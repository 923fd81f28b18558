// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// INTERACTION 20: what a GPU tells of itself, and nothing that it does not; words on its bars.
#include <QImage>
#include <QJsonObject>

#include "tests/support/test_case.h"
#include "tests/widgets/recorded_run.h"
#include "widgets/charts/gpu_meters.h"
#include "widgets/charts/gpu_panel.h"
#include "widgets/common/contrast.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

using tests::RecordedRun;

bool hasColour(const QImage& picture, Tone tone) {
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      if (picture.pixelColor(x, y) == theme()[tone]) return true;
  return false;
}

}  // namespace

class TestGpuPanel : public QObject {
  Q_OBJECT
 private slots:
  void withoutAGpuNoFigureIsShown() {
    RecordedRun recorded;
    GpuPanel panel("");
    panel.setVisible(true);
    panel.refresh(recorded.run, {});
    QVERIFY(!panel.words().contains('%'));
    QVERIFY2(panel.words().contains("Emulated step takes 60"), qPrintable(panel.words()));
  }

  void aGpuShowsWhatItTellsAndNothingElse() {
    // The engine's machine has one, this one may have none.
    RecordedRun recorded({}, [](QByteArray line) {
      return line.replace("\"accelerator\":null",
                          "\"accelerator\":{\"name\":\"NVIDIA H200\",\"ended\":null,"
                          "\"utilisation\":0.41,\"memory_utilisation\":null,"
                          "\"memory_used_bytes\":6e10,\"memory_total_bytes\":1.5e11,"
                          "\"power_watts\":412.5,\"throttled_share\":1.0,"
                          "\"throttle_reasons\":[\"power cap\"],\"other_processes\":2.0}");
    });
    GpuPanel panel("");
    panel.resize(280, 200);
    panel.setVisible(true);
    panel.refresh(recorded.run, {});
    QVERIFY(panel.hasFigures());
    QCOMPARE(panel.meters().title(), QString("NVIDIA H200"));
    QStringList shown;
    for (const GpuRow& row : panel.meters().rows())
      shown << row.label + ": " + QString(row.text).replace(QChar(0xA0), ' ') +
                   (row.warns ? "!" : "");
    QCOMPARE(shown, QStringList({"Busy: 41 %", "Memory: 60 of 150 GB", "Power: 413 W",
                                 "Throttled: power cap!", "Shared: with 2 others!"}));
    QVERIFY(panel.meters().accessibleDescription().contains("Busy 41"));
    // In a dock of the usual width nothing is cut.
    panel.resize(200, 245);
    QVERIFY2(panel.meters().cutRows().isEmpty(), qPrintable(panel.meters().cutRows().join(", ")));
    GpuMeters alone;
    alone.show(panel.meters().title(), panel.meters().rows());
    alone.resize(200, 245);
    const QImage picture = alone.grab().toImage();
    QVERIFY(hasColour(picture, Tone::Water) && hasColour(picture, Tone::Warning));
    // Of what is cut it is known.
    alone.resize(100, 245);
    QVERIFY(alone.cutRows().contains("Throttled"));
  }

  void labelsStandOnlyWhereTheyCanBeRead() {
    for (const Theme* theme : {&Theme::light(), &Theme::dark()}) {
      int labelled = 0;
      for (int i = 0; i < 9; ++i) {
        const QColor ground = theme->category(static_cast<Category>(i));
        const auto ink = readableOn(ground);
        if (!ink) continue;
        QVERIFY(contrast(*ink, ground) >= 4.5);
        ++labelled;
      }
      QVERIFY2(labelled >= 7, qPrintable(QString::number(labelled)));
    }
    QVERIFY(std::abs(contrast(Qt::white, Qt::black) - 21) < 1e-6);
    QVERIFY(!readableOn(QColor(0x77, 0x80, 0x77)).has_value());
  }
};

}  // namespace millrace

using millrace::TestGpuPanel;
MILLRACE_TEST_CASE(TestGpuPanel)
#include "tst_gpu_panel.moc"
