// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/canvas_menu.h"

#include <QMenu>

#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/icons.h"

namespace millrace {

namespace {

using FindAction = std::function<QAction*(const char*)>;

void addActions(QMenu& menu, const FindAction& action, std::initializer_list<const char*> names) {
  if (!menu.isEmpty()) menu.addSeparator();
  for (const char* name : names) menu.addAction(action(name));
}

bool isSource(PipelinePage& page) {
  const EditSession& session = page.session();
  if (session.selection.nodes().size() != 1) return false;
  const NodeSpec* spec = session.document.specOf(session.selection.current());
  return spec != nullptr && spec->role == NodeRole::Source;
}

void fillForNodes(QMenu& menu, PipelinePage& page, const FindAction& action) {
  if (isSource(page)) addActions(menu, action, {"examine"});
  addActions(menu, action, {"add_behind", "connect", "bypass", "plain", "rename"});
  addActions(menu, action, {"cut", "copy", "duplicate", "delete", "delete_heal"});
  addActions(menu, action, {"choose", "group", "ungroup"});
  if (page.session().selection.nodes().size() > 1) {
    QMenu& align = *menu.addMenu("A&lign");
    addActions(align, action, {"align_left", "align_right", "align_top", "align_bottom"});
    addActions(align, action, {"distribute_across", "distribute_down"});
  }
  addActions(menu, action, {"help"});
}

void fillForWire(QMenu& menu, PipelinePage& page, const CanvasThing& thing,
                 const FindAction& action) {
  const WireKey wire = *page.session().selection.wire();
  menu.addAction(icon("plus"), "Insert a node…", &page,
                 [&page, wire, at = thing.at] { page.view().searchOnWire(wire, at); });
  menu.addAction("Delete this wire", &page,
                 [&page, wire] { page.session().editor.disconnect(wire); });
  addActions(menu, action, {"streams"});
}

void fillForPort(QMenu& menu, PipelinePage& page, const CanvasThing& thing,
                 const FindAction& action) {
  const PortHit port = thing.port;
  menu.addAction(icon("plus"), port.isOutput ? "Add what follows…" : "Add what comes before…",
                 &page, [&page, port] { page.view().searchAtPort(port); });
  if (port.isOutput) menu.addAction(action("connect"));
  for (const GraphWire& wire : page.session().document.graph().wires)
    if ((port.isOutput ? wire.from : wire.to) == port.id)
      menu.addAction("Delete its wire", &page, [&page, key = WireKey{wire.from, wire.to}] {
        page.session().editor.disconnect(key);
      });
}

void fillForEmpty(QMenu& menu, PipelinePage& page, const CanvasThing& thing,
                  const FindAction& action) {
  const QPointF at = thing.at;
  menu.addAction(icon("plus"), "Add a node here…", &page,
                 [&page, at] { page.view().searchAt(at); });
  menu.addAction(icon("note"), "Comment here…", &page, [&page, at] { page.writeComment(at); });
  menu.addAction("Paste here", &page,
                 [&page, at] { page.session().editor.paste(Incoming::Drop, at); });
  addActions(menu, action, {"select_all", "arrange", "fit", "zoom_100"});
}

}  // namespace

void fillCanvasMenu(QMenu& menu, PipelinePage& page, const CanvasThing& thing,
                    const FindAction& action) {
  const std::size_t i = thing.index;
  switch (thing.kind) {
    case CanvasThing::Kind::Nodes: return fillForNodes(menu, page, action);
    case CanvasThing::Kind::Wire: return fillForWire(menu, page, thing, action);
    case CanvasThing::Kind::Port: return fillForPort(menu, page, thing, action);
    case CanvasThing::Kind::Empty: return fillForEmpty(menu, page, thing, action);
    case CanvasThing::Kind::Comment:
      menu.addAction(icon("note"), "Edit this comment", &page,
                     [&page, i] { page.changeComment(i); });
      return addActions(menu, action, {"delete"});
    case CanvasThing::Kind::Group:
      menu.addAction("Rename this group", &page, [&page, i] { page.renameGroup(i); });
      return addActions(menu, action, {"ungroup"});
  }
}

}  // namespace millrace
