// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#first-start: files and folders dragged into the workbench from another program,
// as a file manager does it.
#include <QDir>

#include "tests/desktop/desktop_bench.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::kGenerousMs;
using tests::Screen;
using tests::Workbench;

namespace {

/// The smallest PNG: one grey pixel.
const QByteArray kPixel = QByteArray::fromBase64(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==");

bool writes(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly) &&
         file.write(bytes) == bytes.size();
}

/// A second program from which files are dragged. Each movement waits until the programs have
/// answered the one before: on a slow machine a drop may come before the target is ready for it.
class FileManager {
 public:
  FileManager(Workbench& bench, const QStringList& files) : m_bench(bench) {
    m_program.setProcessEnvironment(bench.environment);
    m_program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_program.start(tests::kDragSource, files);
  }
  ~FileManager() {
    m_program.kill();
    m_program.waitForFinished(kGenerousMs);
  }

  /// What the program reports at the end, or how far it came.
  QString dragsTo(QPoint target) {
    if (!m_bench.soon([this] { return beginsDrag(); })) return "the drag does not begin";
    int step = 0;
    const bool isAccepted = m_bench.soon([&] {
      // A target is asked again at each movement.
      moveTo(target + QPoint(++step % 2, 0));
      return has("accepted");
    });
    m_bench.hands({"mouseup", "1"});
    if (!isAccepted) return "the target accepts nothing";
    if (!m_bench.soon([this] { return has("dropped") || has("refused"); })) return "no end";
    return has("dropped") ? "dropped" : "refused";
  }

 private:
  /// Presses the mouse on the window, wherever its manager has put it, and moves a little.
  bool beginsDrag() {
    const QString window =
        m_bench.output("xdotool", {"search", "--onlyvisible", "--name", "^Drag source$"});
    if (window.isEmpty()) return false;
    m_bench.hands({"windowraise", window});
    const QRect place = m_bench.placeOf(window);
    moveTo(place.center());
    m_bench.hands({"mousedown", "1"});
    moveTo(place.center() + QPoint(15, 15));
    moveTo(place.center() + QPoint(18, 18));
    if (m_bench.soon([this] { return has("dragging"); }, kBeginMs)) return true;
    m_bench.hands({"mouseup", "1"});
    return has("dragging");
  }
  void moveTo(QPoint place) {
    m_bench.hands({"mousemove", QString::number(place.x()), QString::number(place.y())});
  }
  bool has(const char* step) {
    m_said += m_program.readAllStandardOutput();
    return m_said.contains(step);
  }

  static constexpr int kBeginMs = 10000;  ///< then the press went elsewhere: it is tried again
  Workbench& m_bench;
  QProcess m_program;
  QByteArray m_said;
};

/// Waits for a window whose title matches; the drag source may have the keyboard focus.
bool shows(Workbench& bench, const QString& title) {
  return bench.soon([&] {
    return !bench.output("xdotool", {"search", "--onlyvisible", "--name", title}).isEmpty();
  });
}

// Places on the screen.
constexpr QPoint kStartPage(720, 430);
constexpr QPoint kCanvas(600, 320);

}  // namespace

class TestDropping : public QObject {
  Q_OBJECT
 private slots:
  void aDraggedFileIsOpenedAndADraggedFolderProposesAPipeline() {
    Workbench bench;
    Screen screen;
    if (const QString why = screen.start(bench.environment); !why.isEmpty()) QSKIP(qPrintable(why));
    QVERIFY2(bench.hasManager(), "openbox does not take the screen");
    const QString file = bench.path("dragged.millrace.json");
    bench.output(tests::kMillrace, {"export", "chess", "--to", "json", "-o", file});
    QVERIFY(QFile::exists(file));
    for (const char* name : {"cats/1.png", "cats/2.png", "dogs/1.png", "dogs/2.png"})
      QVERIFY(writes(bench.path(QString("pets/") + name), kPixel));
    bench.start();
    QVERIFY2(bench.titleBecomes("Millrace"), "the window does not appear");
    bench.hands({"getactivewindow", "windowmove", "--sync", "60", "60"});
    // The tour of the first start is left.
    bench.keys("Escape");

    {
      FileManager manager(bench, {file});
      QCOMPARE(manager.dragsTo(kStartPage), QString("dropped"));
      QVERIFY2(shows(bench, "^dragged.millrace.json"), "the file is not opened");
    }
    {
      FileManager manager(bench, {bench.path("pets")});
      QCOMPARE(manager.dragsTo(kCanvas), QString("dropped"));
      QVERIFY2(shows(bench, "^pets"), "no pipeline is proposed");
    }

    bench.program.kill();
    QVERIFY(bench.program.waitForFinished(kGenerousMs));
  }
};

}  // namespace millrace

using millrace::TestDropping;
MILLRACE_TEST_CASE(TestDropping)
#include "tst_dropping.moc"
