// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#long-work: notifications and the task bar, on a real bus with a program that
// shows them.
#include <QAction>
#include <QDBusConnection>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>

#include "app/workbench/controllers/desktop_controller.h"
#include "tests/support/test_case.h"
#include "tests/widgets/patience.h"

namespace millrace {

using tests::kGenerousMs;

/// A desktop that shows notifications and progress.
class FakeDesktop : public QObject {
  Q_OBJECT
  Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
 public:
  struct Note {
    uint replaces;
    QString title;
    QString text;
  };

  bool start() {
    m_daemon.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_daemon.start("dbus-daemon", {"--session", "--nofork", "--nopidfile", "--print-address=1"});
    if (!m_daemon.waitForStarted(kGenerousMs) || !m_daemon.waitForReadyRead(kGenerousMs))
      return false;
    m_address = QString::fromUtf8(m_daemon.readLine()).trimmed();
    QDBusConnection own = bus("desktop");
    return own.registerObject(
               "/org/freedesktop/Notifications", this,
               QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals) &&
           own.registerService("org.freedesktop.Notifications") &&
           own.connect({}, {}, "com.canonical.Unity.LauncherEntry", "Update", this,
                       SLOT(takeProgress(QString, QVariantMap)));
  }
  ~FakeDesktop() override {
    for (const char* name : {"desktop", "workbench"})
      QDBusConnection::disconnectFromBus(m_address + name);
    m_daemon.terminate();
    m_daemon.waitForFinished(kGenerousMs);
  }
  QDBusConnection bus(const QString& name) const {
    return QDBusConnection::connectToBus(m_address, m_address + name);
  }

  QList<Note> notes;
  QString program;
  QList<double> progress;  ///< -1: hidden

 public slots:
  // NOLINTNEXTLINE(readability-identifier-naming): the name and types are the bus interface's
  uint Notify(const QString&, uint replaces, const QString&, const QString& title,
              const QString& text, const QStringList&, const QVariantMap&, int) {
    notes.push_back({replaces, title, text});
    return 7;
  }
  void takeProgress(const QString& uri, const QVariantMap& values) {
    program = uri;
    progress << (values["progress-visible"].toBool() ? values["progress"].toDouble() : -1);
  }

 signals:
  // NOLINTNEXTLINE(readability-identifier-naming)
  void ActionInvoked(uint id, const QString& action);

 private:
  QProcess m_daemon;
  QString m_address;
};

namespace {

/// A job and a clock, both set by hand.
class JobBench {
 public:
  JobBench()
      : settings("millrace", "workbench"),
        bus(new DesktopBus(desktop.start() ? desktop.bus("workbench") : QDBusConnection("none"),
                           nullptr)),
        controller(window, settings, bus) {
    controller.setClock([this] { return now; });
    controller.add({[this] { return running; }, [this] { return done; },
                    [this]() -> std::optional<LongJob::End> {
                      if (stopped) return std::nullopt;
                      return LongJob::End{"Run 4 of a<b is done", "1 000 samples/s & more"};
                    }});
    notify()->setChecked(true);
  }
  QAction* notify() { return controller.findChild<QAction*>("action_notify"); }
  void run(double seconds) {
    running = true;
    controller.refresh();
    now += seconds;
    running = false;
    controller.refresh();
  }
  /// Notifications so far, once the bus has passed on everything.
  int notes() {
    const auto before = desktop.progress.size();
    bus->showProgress(0.11);
    bus->showProgress(std::nullopt);
    return QTest::qWaitFor([&] { return desktop.progress.size() >= before + 2; }, kGenerousMs)
               ? static_cast<int>(desktop.notes.size())
               : -1;
  }

  FakeDesktop desktop;
  QSettings settings;
  QWidget window;
  DesktopBus* bus;
  DesktopController controller;
  double now = 100;
  bool running = false;
  bool stopped = false;
  std::optional<double> done;
};

}  // namespace

class TestDesktop : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("dbus-daemon").isEmpty())
      QSKIP("dbus-daemon is not installed: apt install dbus-daemon");
  }

  void aLongJobThatEndsInAnotherWindowIsNotified() {
    JobBench bench;
    bench.run(10.5);
    QCOMPARE(bench.notes(), 1);
    QCOMPARE(bench.desktop.notes[0].title, QString("Run 4 of a<b is done"));
    QCOMPARE(bench.desktop.notes[0].text, QString("1 000 samples/s &amp; more"));
  }

  void shortStoppedAndUnwantedJobsAreNot() {
    JobBench bench;
    bench.run(9.5);
    QCOMPARE(bench.notes(), 0);
    bench.stopped = true;
    bench.run(60);
    QCOMPARE(bench.notes(), 0);
    bench.stopped = false;
    bench.notify()->setChecked(false);
    QVERIFY(!bench.settings.value("notify").toBool());
    bench.run(60);
    QCOMPARE(bench.notes(), 0);
  }

  void nothingIsNotifiedWhileTheWindowIsActive() {
    JobBench bench;
    bench.window.show();
    bench.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&bench.window));
    bench.run(60);
    QCOMPARE(bench.notes(), 0);
  }

  void aClickOnTheNotificationShowsTheWindow() {
    JobBench bench;
    bench.run(60);
    QCOMPARE(bench.notes(), 1);
    bench.window.showMinimized();
    emit bench.desktop.ActionInvoked(8, "default");
    emit bench.desktop.ActionInvoked(7, "default");
    QVERIFY(QTest::qWaitFor([&] { return bench.window.isVisible() && !bench.window.isMinimized(); },
                            kGenerousMs));
  }

  void theTaskBarShowsTheProgress() {
    JobBench bench;
    bench.running = true;
    bench.done = 0.256;
    bench.controller.refresh();
    bench.running = false;
    bench.controller.refresh();
    QVERIFY(QTest::qWaitFor([&] { return bench.desktop.progress.size() >= 2; }, kGenerousMs));
    QCOMPARE(bench.desktop.progress, (QList<double>{0.26, -1}));
    QCOMPARE(bench.desktop.program, QString("application://millrace-workbench.desktop"));
  }
};

}  // namespace millrace

using millrace::TestDesktop;
MILLRACE_TEST_CASE(TestDesktop)
#include "tst_desktop.moc"
