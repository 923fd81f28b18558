// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/window/main_window.h"

#include <QAction>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPalette>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>

#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/own_process.h"
#include "widgets/common/contrast.h"
#include "widgets/common/icons.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/inspector/inspector_panel.h"

namespace millrace {

class TestMainWindow : public QObject {
  Q_OBJECT
 private slots:
  void opensEveryExampleUnmodifiedAndWithoutErrors() {
    MainWindow window(builtinCatalog());
    window.show();
    for (const Example& example : examples()) {
      QVERIFY(tests::openIn(window, toQt(example.name)));
      const EditSession& session = window.page()->session();
      QVERIFY(QTest::qWaitFor([&] { return session.check.isCurrent(); }, 20000));
      QCOMPARE(session.check.errors(), 0);
      QVERIFY(!session.document.isModified());
    }
    QCOMPARE(window.tabs().count(), static_cast<int>(examples().size()));
  }

  void opensAFileOnceAndShowsItsName() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", *exampleJson("deblurring"));
    const QString file = fileText(folder.path() / "mine.millrace.json");
    MainWindow window(builtinCatalog());
    QVERIFY(tests::openIn(window, file));
    QVERIFY(tests::openIn(window, file));
    QCOMPARE(window.tabs().count(), 1);
    QVERIFY(window.tabs().tabText(0).startsWith("mine.millrace.json"));
  }

  void aButtonsIconHasADistanceFromItsText() {
    const QColor square = theme()[Tone::Error];
    QPushButton push(icon("stop", Tone::Error), "HHH");
    QToolButton tool;
    tool.setIcon(push.icon());
    tool.setText(push.text());
    tool.setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    tool.setIconSize(QSize(16, 16));
    for (QWidget* button : {static_cast<QWidget*>(&push), static_cast<QWidget*>(&tool)}) {
      button->ensurePolished();
      button->resize(button->sizeHint());
      const QImage image = button->grab().toImage();
      const int y = image.height() / 2;
      const QColor ground = image.pixelColor(image.width() - 4, y);
      int edge = -1;
      for (int x = 0; x < image.width(); ++x)
        if (image.pixelColor(x, y) == square) edge = x;
      QVERIFY(edge > 0);
      int text = edge + 3;  // After the edge's soft pixels.
      while (text < image.width() && image.pixelColor(text, y) == ground) ++text;
      QVERIFY2(text - edge >= 11, qPrintable(QString("%1 to %2").arg(edge).arg(text)));
      // The end of the text is not cut for it either.
      QVERIFY(text + button->fontMetrics().horizontalAdvance("HHH") < image.width());
    }
  }

  void shortcutsReachTheDocument() {
    MainWindow window(builtinCatalog());
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(tests::openIn(window, "classification"));
    EditSession& session = window.page()->session();
    window.page()->view().setFocus();
    session.selection.set({"flip"});
    QTest::keyClick(&window.page()->view(), Qt::Key_B);
    QCOMPARE(session.document.graph().node("flip")->state, NodeState::Bypass);
    QTest::keyClick(&window.page()->view(), Qt::Key_Delete, Qt::ControlModifier);
    QVERIFY(session.document.graph().node("flip") == nullptr);
    QTest::keyClick(&window.page()->view(), Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(&window.page()->view(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!session.document.isModified());
    session.selection.set({"batch"});
    QVERIFY(!window.action("bypass")->isEnabled());
    QVERIFY(window.action("bypass")->toolTip().contains("cannot be bypassed"));
  }

  /// A field whose text was accepted leaves Ctrl+Z to the document.
  void undoWorksFromAField() {
    MainWindow window(builtinCatalog());
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(tests::openIn(window, "classification"));
    EditSession& session = window.page()->session();
    session.selection.set({"batch"});
    auto* line = window.inspector().rows().front()->findChild<QLineEdit*>();
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, "32");
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(session.document.isModified());
    QCOMPARE(session.document.undoStack().count(), 1);
    QVERIFY(!line->isUndoAvailable());
    // The box has the focus, so the user's keys go there.
    QTest::keyClick(line->parentWidget(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!session.document.isModified());
  }

  /// docs/workbench.md#window-and-keys.
  void theActionPaletteDoesWhatIsTyped() {
    MainWindow window(builtinCatalog());
    window.show();
    QVERIFY(tests::openIn(window, "classification"));
    window.action("palette")->trigger();
    SearchPopup* popup = nullptr;
    for (auto* candidate : window.findChildren<SearchPopup*>())
      if (candidate->isVisible()) popup = candidate;
    QVERIFY(popup != nullptr);
    QTest::keyClicks(&popup->line(), "select all");
    QTest::keyClick(&popup->line(), Qt::Key_Return);
    const EditSession& session = window.page()->session();
    QCOMPARE(session.selection.nodes().size(), session.document.graph().nodes.size());
  }

  void everyActionsIconExists() {
    for (const char* name : {"newf",    "open",   "save",  "undo",    "redo",  "plus",   "link",
                             "arrange", "fit",    "map",   "help",    "copy",  "zoomin", "unknown",
                             "reset",   "search", "error", "warning", "check", "float",  "close"})
      QVERIFY2(hasIcon(name), name);
    for (const NodeSpec& kind : builtinCatalog().all())
      QVERIFY2(hasIcon(iconOf(kind)), kind.kind.c_str());
  }

  void bothThemesHaveEveryTone() {
    for (const Theme* theme : {&Theme::light(), &Theme::dark()})
      for (int i = 0; i < kToneCount; ++i)
        QVERIFY2((*theme)[static_cast<Tone>(i)].isValid(),
                 qPrintable(nameOf(static_cast<Tone>(i))));
    applyTheme(Appearance::Dark);
    QVERIFY(theme().isDark());
    applyTheme(Appearance::Light);
    QVERIFY(!theme().isDark());
  }

  void textIsReadableOnEverySurfaceOfBothThemes() {
    for (const Theme* theme : {&Theme::light(), &Theme::dark()})
      for (const Tone ground : {Tone::Window, Tone::Panel, Tone::Base, Tone::Alt, Tone::Canvas,
                                Tone::Node, Tone::Hover, Tone::AccentSoft})
        for (const Tone ink : {Tone::Text, Tone::Text2, Tone::Hint, Tone::Accent, Tone::Error,
                               Tone::Warning, Tone::Faster, Tone::Slower})
          QVERIFY2(contrast((*theme)[ink], (*theme)[ground]) >= 4.5,
                   qPrintable(nameOf(ink) + " on " + nameOf(ground)));
  }

  void highContrastIsSevenToOneForAllText() {
    QFile file(":/millrace/themes/tokens.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject themes = QJsonDocument::fromJson(file.readAll()).object();
    for (const char* name : {"contrast-light", "contrast-dark"}) {
      const QJsonObject tones = themes[name].toObject()["colour"].toObject();
      QCOMPARE(tones.size(), kToneCount);
      const auto ratio = [&](Tone ink, Tone ground) {
        return contrast(QColor(tones[nameOf(ink)].toString()),
                        QColor(tones[nameOf(ground)].toString()));
      };
      for (const Tone ground :
           {Tone::Window, Tone::Panel, Tone::Base, Tone::Alt, Tone::Canvas, Tone::Node}) {
        for (const Tone ink : {Tone::Text, Tone::Text2, Tone::Hint, Tone::Accent, Tone::Error,
                               Tone::Warning, Tone::Faster, Tone::Slower})
          QVERIFY2(ratio(ink, ground) >= 7, qPrintable(nameOf(ink) + " on " + nameOf(ground)));
        // Frames and the focus ring.
        for (const Tone line : {Tone::Border, Tone::Control, Tone::Accent})
          QVERIFY2(ratio(line, ground) >= 7, qPrintable(nameOf(line)));
      }
      QVERIFY(ratio(Tone::Text, Tone::AccentSoft) >= 7);
      QVERIFY(ratio(Tone::AccentText, Tone::Accent) >= 7);
    }
  }

  /// A program reads its environment once, so another process is used.
  void highContrastWorksInBothThemes() {
    constexpr const char* kAsked = "MILLRACE_CONTRAST";
    if (qEnvironmentVariableIntValue(kAsked) == 1) {
      QVERIFY(contrast(Theme::light()[Tone::Text], Theme::light()[Tone::Base]) >= 20);
      QVERIFY(contrast(Theme::dark()[Tone::Text], Theme::dark()[Tone::Base]) >= 20);
      QVERIFY(!Theme::light().isDark() && Theme::dark().isDark());
      return;
    }
    QVERIFY(contrast(Theme::dark()[Tone::Text], Theme::dark()[Tone::Base]) < 20);
    const auto asked = tests::runInOwnProcess("tst_main_window", kAsked, "1");
    QVERIFY2(asked.passed, asked.said.constData());
  }

  /// `System` follows the platform's palette, the only information that Qt 6.4 gives.
  void aDarkPaletteHasADarkBackground() {
    const auto of = [](const QColor& ground) {
      QPalette palette;
      palette.setColor(QPalette::Window, ground);
      return isDark(palette);
    };
    QVERIFY(of(Qt::black) && of(QColor(0x2A, 0x2E, 0x32)));
    QVERIFY(!of(Qt::white) && !of(QColor(0xEF, 0xEF, 0xEF)));
    for (const Appearance appearance : {Appearance::Dark, Appearance::Light}) {
      applyTheme(appearance);
      QCOMPARE(isDark(QPalette()), appearance == Appearance::Dark);
    }
    // This test's platform is light, whatever was chosen in between.
    applyTheme(Appearance::Dark);
    applyTheme(Appearance::System);
    QVERIFY(!theme().isDark());
  }

  /// Like desktops: another palette, announced to every window.
  void theThemeFollowsTheDesktop() {
    followSystemTheme();
    const auto desktopTurns = [](const QColor& ground, const QColor& ink) {
      QPalette palette;
      palette.setColor(QPalette::Window, ground);
      palette.setColor(QPalette::WindowText, ink);
      QApplication::setPalette(palette);
      QEvent change(QEvent::ThemeChange);
      QCoreApplication::sendEvent(qApp, &change);
    };
    const QColor dark(0x2A, 0x2E, 0x32);
    const QColor light(0xEF, 0xF0, 0xF1);
    applyTheme(Appearance::System);
    desktopTurns(dark, light);
    QTRY_VERIFY(theme().isDark());
    QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::dark()[Tone::Window]);
    // A user's explicit choice is kept.
    applyTheme(Appearance::Light);
    desktopTurns(dark, light);
    QTRY_COMPARE(QApplication::palette().color(QPalette::Window), Theme::light()[Tone::Window]);
    applyTheme(Appearance::System);
    QVERIFY(theme().isDark());
    desktopTurns(light, dark);
    QTRY_VERIFY(!theme().isDark());
    // Some do not announce it to the windows, and set their own font.
    QFont large = QApplication::font();
    large.setPointSize(20);
    QApplication::setFont(large);
    QTRY_COMPARE(QApplication::font().pixelSize(), 13);
  }

  void blackAndWhiteEitherWayRoundIsHighContrast() {
    const auto of = [](const QColor& ink, const QColor& ground) {
      QPalette palette;
      palette.setColor(QPalette::WindowText, ink);
      palette.setColor(QPalette::Window, ground);
      return isHighContrast(palette);
    };
    QVERIFY(of(Qt::black, Qt::white) && of(Qt::white, Qt::black));
    QVERIFY(!of(Qt::black, QColor(0xEF, 0xEF, 0xEF)));  // Fusion's own
    QVERIFY(!of(QColor(0xFC, 0xFC, 0xFC), QColor(0x2A, 0x2E, 0x32)));
  }
};

}  // namespace millrace

using millrace::TestMainWindow;
MILLRACE_TEST_CASE(TestMainWindow)
#include "tst_main_window.moc"
