// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#window-and-keys: tooltips on any screen.
#include <QApplication>
#include <QLabel>
#include <QScreen>
#include <QToolTip>

#include "tests/support/test_case.h"
#include "tests/widgets/patience.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

using tests::kGenerousMs;

QLabel* shownTip() {
  for (QWidget* widget : QApplication::topLevelWidgets())
    if (widget->inherits("QTipLabel") && widget->isVisible()) return qobject_cast<QLabel*>(widget);
  return nullptr;
}

/// A line wider than a tooltip may be, but narrower than the screen, where Qt itself would wrap it.
QString longLine(const QString& word) {
  const QFontMetrics font(QToolTip::font());
  const int least = 80 * font.averageCharWidth();
  QString line = word;
  while (font.horizontalAdvance(line) < least + 60) line += ' ' + word;
  return line;
}

}  // namespace

class TestHouseStyle : public QObject {
  Q_OBJECT
 private slots:
  void aLongTooltipIsWrapped() {
    applyTheme(Appearance::Light);
    QWidget window;
    window.resize(300, 200);
    window.show();
    // The second one comes while the first is still shown, which Qt handles differently.
    for (const QString& line : {longLine("first"), longLine("other")}) {
      QToolTip::showText(window.mapToGlobal(QPoint(20, 20)), line, &window);
      const auto isShown = [&] { return shownTip() != nullptr && shownTip()->text() == line; };
      QVERIFY(QTest::qWaitFor(isShown, kGenerousMs));
      const QLabel& tip = *shownTip();
      const int oneLine = tip.fontMetrics().horizontalAdvance(line);
      QVERIFY2(tip.width() < oneLine, qPrintable(QString::number(tip.width())));
      QVERIFY(tip.height() >= 2 * tip.fontMetrics().height());
      QVERIFY(tip.height() >= tip.heightForWidth(tip.width()));
      QVERIFY(tip.screen()->availableGeometry().contains(tip.geometry()));
    }
    QToolTip::hideText();
  }

  void aShortTooltipIsNotWrapped() {
    applyTheme(Appearance::Light);
    QWidget window;
    window.show();
    QToolTip::showText(window.mapToGlobal(QPoint(20, 20)), "One line", &window);
    QVERIFY(QTest::qWaitFor([] { return shownTip() != nullptr; }, kGenerousMs));
    QVERIFY(!shownTip()->wordWrap());
    QToolTip::hideText();
  }
};

}  // namespace millrace

using millrace::TestHouseStyle;
MILLRACE_TEST_CASE(TestHouseStyle)
#include "tst_house_style.moc"
