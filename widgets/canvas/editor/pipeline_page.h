// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/common/theme.h"

class QFrame;
class QLabel;
class QToolButton;

namespace millrace {

class IconMark;
class Minimap;
class NameEditor;
class NoteEditor;

/// A document's page: the canvas with its zoom bar, the minimap, the line that says why an edit was
/// refused, and the content of an empty page. GUI thread.
class PipelinePage : public QWidget {
  Q_OBJECT
 public:
  explicit PipelinePage(const Catalog& catalog, QWidget* parent = nullptr);
  ~PipelinePage() override;

  EditSession& session() { return *m_session; }
  CanvasView& view() { return *m_view; }
  CanvasScene& scene() { return *m_scene; }
  /// The minimap is shown only if there is room for it and something to show.
  void setMinimapWanted(bool wanted);
  bool isMinimapShown() const;
  /// Shows a sentence over the canvas until the next edit or for a few seconds: what was done, or
  /// why it was refused.
  void say(const QString& sentence);
  void warn(const QString& sentence);

  /// Arranges the nodes in rows that suit the view, and shows them.
  void arrange();

  /// Open the text at its place on the canvas. A new comment is at a free place near `near`, by
  /// default the middle of the view.
  void writeComment(std::optional<QPointF> near = {});
  void changeComment(std::size_t i);
  void nameGroup();
  void renameGroup(std::size_t i);
  /// Opens a node's name in place of its title.
  void renameNode(const NodeId& id);
  NoteEditor& noteEditor() { return *m_noteEditor; }
  NameEditor& nameEditor() { return *m_nameEditor; }

 signals:
  void exampleRequested();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void showMessage(const QString& sentence, const char* note, Tone tone);
  void buildZoomBar();
  void buildEmptyState();
  void floatMessage();
  void placeMessage();
  void placeOverlays();
  void placeZoomBar();
  void showMinimap();
  /// The first of these places where a box of this size covers no node; nullopt if there is none.
  std::optional<QPoint> freeSpot(QSize size, const QList<QPoint>& places) const;
  void showEmptyState();

  std::unique_ptr<EditSession> m_session;
  CanvasScene* m_scene;  ///< the session's document owns it
  CanvasView* m_view;
  Minimap* m_minimap;
  NoteEditor* m_noteEditor;
  NameEditor* m_nameEditor;
  QFrame* m_zoomBar;
  QToolButton* m_zoomText = nullptr;
  QFrame* m_empty;
  QFrame* m_message;
  IconMark* m_messageMark;
  QLabel* m_messageText;
  QTimer m_messageEnd;
  bool m_shown = false;
  bool m_minimapWanted = true;
};

}  // namespace millrace
