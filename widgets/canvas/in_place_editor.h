// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include <QFocusEvent>
#include <QScrollBar>

#include "widgets/canvas/canvas_view.h"
#include "widgets/common/theme.h"

namespace millrace {

/// A field in which a text of the canvas is edited at its place. It follows zoom and scrolling, and
/// the keyboard focus leaving accepts the text. `Field`: QLineEdit or QPlainTextEdit. One at a
/// time. GUI thread.
template <class Field>
class InPlaceEditor : public Field {
 public:
  using Done = std::function<void(const QString&)>;

  bool isOpen() const { return this->isVisible(); }
  /// Accepts the text, if open.
  void accept() { finish(true); }
  void cancel() { finish(false); }

 protected:
  explicit InPlaceEditor(CanvasView& view) : Field(view.viewport()), m_view(view) {
    this->hide();
    const auto follow = [this] { placeIfOpen(); };
    QObject::connect(&view, &CanvasView::zoomChanged, this, follow);
    for (const QScrollBar* bar : {view.horizontalScrollBar(), view.verticalScrollBar()})
      QObject::connect(bar, &QScrollBar::valueChanged, this, follow);
  }

  /// Shows the field, whose text is set and is selected. `done` receives the accepted text.
  void begin(Done done) {
    m_done = std::move(done);
    this->selectAll();
    this->show();
    this->raise();
    place();
    this->setFocus();
  }
  void placeIfOpen() {
    if (isOpen()) place();
  }
  CanvasView& view() const { return m_view; }
  /// Of a text on the canvas at this zoom.
  QFont fontInView(bool bold) const {
    constexpr int kSize = 13;
    constexpr int kLeastSize = 11;
    return uiFont(std::max(kLeastSize, qRound(kSize * m_view.zoom())), bold);
  }

  /// Puts the field over its place in the view.
  virtual void place() = 0;
  /// The text to accept; nullopt if it is not allowed or not another one.
  virtual std::optional<QString> accepted() const = 0;
  /// The field was hidden.
  virtual void closed() {}

  void focusOutEvent(QFocusEvent* event) override {
    Field::focusOutEvent(event);
    const bool comesBack =
        event->reason() == Qt::PopupFocusReason || event->reason() == Qt::ActiveWindowFocusReason;
    if (!comesBack) accept();
  }

 private:
  void finish(bool accepts) {
    if (!isOpen()) return;
    const Done done = std::exchange(m_done, {});
    const std::optional<QString> text = accepts ? accepted() : std::nullopt;
    const bool hadFocus = this->hasFocus();
    this->hide();
    closed();
    if (hadFocus) m_view.setFocus();
    if (done && text) done(*text);
  }

  CanvasView& m_view;
  Done m_done;
};

}  // namespace millrace
