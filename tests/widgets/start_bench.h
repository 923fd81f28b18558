// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <QDragEnterEvent>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>

#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/window/main_window.h"
#include "core/codecs/encode.h"
#include "core/nodes/builtin.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "widgets/common/strings.h"
#include "widgets/start/folder_drop.h"
#include "widgets/start/offer_panel.h"
#include "widgets/start/start_page.h"

namespace millrace::tests {

inline constexpr int kFirstRunMs = 240000;

/// The workbench after a start without a file.
class StartBench {
 public:
  StartBench() : window(builtinCatalog()) {
    window.start().page().setProgram(tests::kMillrace);
    window.controller().session().process().setProgram(tests::kMillrace);
    window.controller().setMeasure({0, 1000, 1});
    window.resize(1389, 868);
    window.start().show();
    window.show();
  }
  ~StartBench() {
    window.controller().stop();
    (void)waits([this] { return !window.controller().session().isRunning(); });
  }
  StartPage& page() { return window.start().page(); }
  QPushButton* button(const char* name) { return page().findChild<QPushButton*>(name); }
  bool waits(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, kFirstRunMs);
  }
  /// The end of a drag from a file manager.
  void drop(const std::filesystem::path& path) {
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(fileText(path))});
    // A drop goes to the widget that accepted the drag.
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QDropEvent event(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &event);
  }
  bool isRunning() { return window.controller().session().isRunning(); }

  tests::TemporaryFolder folder;
  MainWindow window;
};

inline std::string pictureBytes() {
  const std::vector<std::uint8_t> pixels(40 * 30 * 3, 120);
  const auto png = encodePng({pixels.data(), 40, 30, 3, 120});
  return {reinterpret_cast<const char*>(png->data()), png->size()};
}

inline void writePicture(const tests::TemporaryFolder& folder, const std::string& name) {
  folder.write(name, pictureBytes());
}

/// Eight pictures of 40 x 30, in the format of that name.
inline void writeArrays(const tests::TemporaryFolder& folder, const std::string& name) {
  const std::string pixels(std::size_t{8} * 40 * 30 * 3, '\x60');
  const std::string npy = tests::npyBytes("'|u1'", "(8, 30, 40, 3)", pixels);
  const std::string labels = tests::npyBytes("'|u1'", "(8,)", std::string(8, '\1'));
  if (name.ends_with(".npy")) folder.write(name, npy);
  if (name.ends_with(".npz"))
    folder.write(name, tests::zipBytes({{"x.npy", npy}, {"y.npy", labels}}));
  if (!name.ends_with(".h5")) return;
  folder.write("x.npy", npy);
  QProcess::execute(tests::kMillrace, {"convert", fileText(folder.path() / "x.npy"),
                                       fileText(folder.path() / name), "--raw"});
}

}  // namespace millrace::tests
