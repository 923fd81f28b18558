// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/dialogs/loader_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/strings.h"
#include "widgets/models/code_trust.h"

namespace millrace {

namespace {

constexpr qint64 kMostPythonBytes = 4 << 20;

/// What a file tells about itself, read on another thread.
struct PythonFile {
  QStringList names;
  QString interpreter;  ///< of a virtual environment next to it; empty: there is none
  QString output;       ///< a pipeline's file that is not there yet
};

PythonFile looked(const QString& path) {
  PythonFile found;
  const QString stem = QFileInfo(path).path() + '/' + QFileInfo(path).completeBaseName();
  found.output = stem + ".millrace.json";
  for (int i = 2; QFileInfo::exists(found.output); ++i)
    found.output = QString("%1_%2.millrace.json").arg(stem).arg(i);
  QFile file(path);
  if (file.open(QIODevice::ReadOnly))
    found.names = loaderNames(QString::fromUtf8(file.read(kMostPythonBytes)));
  for (const char* folder : {".venv", "venv", "env"}) {
    const QString python = QFileInfo(path).path() + '/' + folder + "/bin/python";
    if (QFileInfo(python).isExecutable()) {
      found.interpreter = python;
      break;
    }
  }
  return found;
}

/// The user has agreed to run this code by importing it.
void allowCodeOf(const QString& pipeline) {
  const std::filesystem::path file = pathOf(pipeline);
  const ReadGraph read = readGraph(file, builtinCatalog());
  if (read.graph) allow(withDigests(userCode(*read.graph, builtinCatalog(), file.parent_path())));
}

QString verdictOf(const QJsonObject& result) {
  const QString compared = result["proof"]["text"].toString();
  return (compared.isEmpty() ? QString() : compared + ". ") + result["verdict"].toString();
}

}  // namespace

LoaderDialog::LoaderDialog(const QString& file, std::function<void(const QString&)> open,
                           QWidget* parent)
    : QDialog(parent),
      m_open(std::move(open)),
      m_file(new QLineEdit),
      m_name(new QComboBox),
      m_interpreter(new QLineEdit("python3")),
      m_output(new QLineEdit),
      m_parts(new QTreeWidget),
      m_verdict(new QLabel),
      m_trouble(new NoteStrip("error")) {
  setWindowTitle("Import a loader");
  auto* about = new QLabel(
      "Writes the PyTorch loader or dataset that you have as a pipeline, and compares the samples "
      "of both. This runs the file, so what trains must be below "
      "<tt>if __name__ == \"__main__\":</tt>.");
  about->setProperty("role", "second");
  about->setWordWrap(true);
  m_verdict->setWordWrap(true);
  m_parts->setObjectName("import_parts");
  m_parts->setHeaderLabels({"", "Your loader", "Nodes", "What to know"});
  m_parts->setRootIsDecorated(false);
  m_parts->setUniformRowHeights(true);
  m_parts->setSelectionMode(QAbstractItemView::NoSelection);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  m_start = buttons->addButton("Import", QDialogButtonBox::ActionRole);
  m_start->setObjectName("import_start");
  m_openButton = buttons->addButton("Open the pipeline", QDialogButtonBox::AcceptRole);
  m_openButton->setObjectName("import_open");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 12);
  column->setSpacing(10);
  column->addWidget(about);
  column->addWidget(buildFields());
  column->addWidget(m_parts, 1);
  column->addWidget(m_trouble);
  column->addWidget(m_verdict);
  column->addWidget(buttons);
  connect(m_start, &QPushButton::clicked, this, &LoaderDialog::begin);
  connect(buttons, &QDialogButtonBox::rejected, this, &LoaderDialog::reject);
  connect(m_openButton, &QPushButton::clicked, this, [this] {
    m_open(m_output->text());
    accept();
  });
  connect(&m_import, &LoaderImport::ended, this, &LoaderDialog::take);
  m_openButton->hide();
  m_parts->hide();
  m_verdict->hide();
  resize(760, sizeHint().height());
  if (!file.isEmpty()) takeFile(file);
  refresh();
}

/// The end of a dialog hides it, and the field that loses the focus would report its text.
LoaderDialog::~LoaderDialog() { m_file->disconnect(this); }

QWidget* LoaderDialog::buildFields() {
  auto* fields = new QWidget;
  auto* form = new QFormLayout(fields);
  form->setContentsMargins(0, 0, 0, 0);
  auto* row = new QHBoxLayout;
  auto* browse = new QPushButton("Browse…");
  row->addWidget(m_file, 1);
  row->addWidget(browse);
  m_file->setObjectName("import_file");
  m_name->setObjectName("import_name");
  m_name->setEditable(true);
  m_interpreter->setObjectName("import_python");
  m_output->setObjectName("import_output");
  auto* label = new QLabel("Python &file");
  label->setBuddy(m_file);
  form->addRow(label, row);
  form->addRow("&Name in it", m_name);
  form->addRow("&Interpreter", m_interpreter);
  form->addRow("&Pipeline", m_output);
  connect(browse, &QPushButton::clicked, this, &LoaderDialog::chooseFile);
  connect(m_file, &QLineEdit::editingFinished, this, [this] { takeFile(m_file->text()); });
  for (QLineEdit* edit : {m_file, m_interpreter, m_output})
    connect(edit, &QLineEdit::textChanged, this, &LoaderDialog::refresh);
  connect(m_name, &QComboBox::editTextChanged, this, &LoaderDialog::refresh);
  return fields;
}

void LoaderDialog::chooseFile() {
  withStartFolder(*this, QFileInfo(m_file->text()).path(), [this](const QString& folder) {
    const QString file = askOpenFile(this, "Choose a Python file", folder, "Python (*.py)");
    if (!file.isEmpty()) takeFile(file);
  });
}

/// Fills the other fields from the file, as far as the user has not.
void LoaderDialog::takeFile(const QString& file) {
  const QString path = QFileInfo(file).absoluteFilePath();
  if (file.isEmpty() || path == m_file->property("taken").toString()) return;
  m_file->setProperty("taken", path);
  m_file->setText(path);
  doFileWork(*this, [this, path]() -> std::function<void()> {
    const PythonFile found = looked(path);
    return [this, found] {
      m_name->clear();
      m_name->addItems(found.names);
      m_output->setText(found.output);
      if (!found.interpreter.isEmpty()) m_interpreter->setText(found.interpreter);
    };
  });
}

void LoaderDialog::refresh() {
  const bool filled = m_file->text().endsWith(".py") && !m_name->currentText().isEmpty() &&
                      !m_interpreter->text().isEmpty() && !m_output->text().isEmpty();
  m_start->setEnabled(filled && !isAtWork());
  m_start->setText(isAtWork() ? "Importing…" : "Import");
  m_start->setDefault(m_openButton->isHidden());
}

void LoaderDialog::begin() {
  m_trouble->say({});
  m_verdict->hide();
  m_openButton->hide();
  m_import.start({m_file->text(), m_name->currentText(), m_interpreter->text(), m_output->text()});
  refresh();
}

void LoaderDialog::take(const QJsonObject& result, const QString& refusal) {
  const bool isThere = refusal.contains("already exists");
  m_trouble->say(isThere ? "This file already exists: choose another name for the pipeline."
                         : refusal);
  m_parts->clear();
  const QJsonArray all = result["parts"].toArray();
  for (const auto& value : all) {
    const QJsonObject part = value.toObject();
    QStringList kinds;
    const QJsonArray became = part["became"].toArray();
    for (const auto& kind : became) kinds << kind.toString();
    auto* item = new QTreeWidgetItem(m_parts, {part["how"].toString(), part["was"].toString(),
                                               kinds.join(", "), part["note"].toString()});
    for (const int place : {1, 3}) item->setToolTip(place, item->text(place));
  }
  for (int i = 0; i < 3; ++i) m_parts->resizeColumnToContents(i);
  m_parts->setColumnWidth(1, std::min(m_parts->columnWidth(1), 300));
  if (refusal.isEmpty()) {
    allowCodeOf(m_output->text());
    m_verdict->setText(verdictOf(result));
    m_parts->show();
    m_verdict->show();
    m_openButton->show();
    m_openButton->setDefault(true);
    m_openButton->setFocus();
    resize(width(), std::max(height(), 560));
  }
  refresh();
}

void LoaderDialog::reject() {
  if (isAtWork())
    m_import.stop();
  else
    QDialog::reject();
}

}  // namespace millrace
