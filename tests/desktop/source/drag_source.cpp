// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A file manager's part in a drag: a small window from which the files named on the command line
// can be dragged. Each line that it prints is a step: "dragging", "accepted" once a program under
// the pointer would take them, then "dropped" or "refused". It must stay alive after that: the
// other program asks for the files once they were dropped.
#include <cstdio>

#include <QApplication>
#include <QDrag>
#include <QMimeData>
#include <QMouseEvent>
#include <QUrl>
#include <QWidget>

namespace {

void say(const char* step) {
  std::puts(step);
  std::fflush(stdout);
}

class Source : public QWidget {
 protected:
  void mousePressEvent(QMouseEvent* event) override { m_pressed = event->pos(); }
  void mouseMoveEvent(QMouseEvent* event) override {
    if ((event->pos() - m_pressed).manhattanLength() < QApplication::startDragDistance()) return;
    const QStringList files = QApplication::arguments().mid(1);
    QList<QUrl> urls;
    for (const QString& file : files) urls << QUrl::fromLocalFile(file);
    auto* mime = new QMimeData;
    mime->setUrls(urls);
    auto* drag = new QDrag(this);
    drag->setMimeData(mime);
    connect(drag, &QDrag::actionChanged, this, [](Qt::DropAction action) {
      if (action != Qt::IgnoreAction) say("accepted");
    });
    say("dragging");
    const Qt::DropAction done = drag->exec(Qt::CopyAction | Qt::MoveAction, Qt::CopyAction);
    say(done == Qt::IgnoreAction ? "refused" : "dropped");
  }

 private:
  QPoint m_pressed;
};

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  Source source;
  source.setWindowTitle("Drag source");
  source.setGeometry(20, 40, 120, 80);
  source.show();
  return QApplication::exec();
}
