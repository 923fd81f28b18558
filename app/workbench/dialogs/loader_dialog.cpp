// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/dialogs/loader_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/bridge/file_work.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr qint64 kMostPythonBytes = 4 << 20;

/// What a file tells about itself, read on another thread.
struct PythonFile {
  QStringList names;
  QString interpreter;  ///< of a virtual environment next to it; empty: there is none
};

PythonFile looked(const QString& path) {
  PythonFile found{{}, interpreterNextTo(path)};
  QFile file(path);
  if (file.open(QIODevice::ReadOnly))
    found.names = loaderNames(QString::fromUtf8(file.read(kMostPythonBytes)));
  return found;
}

}  // namespace

LoaderDialog::LoaderDialog(const ChosenLoader& offered,
                           std::function<void(const ChosenLoader&)> open, QWidget* parent)
    : QDialog(parent),
      m_open(std::move(open)),
      m_file(new QLineEdit),
      m_name(new QComboBox),
      m_interpreter(new QLineEdit(offered.interpreter)) {
  setWindowTitle("Open a loader");
  auto* about = new QLabel(
      "Measures the loader that you have: a PyTorch DataLoader or data set, a tf.data pipeline, a "
      "Keras PyDataset, anything that can be iterated over, or a function that returns one. This "
      "runs the file, so what trains must be below <tt>if __name__ == \"__main__\":</tt>.");
  about->setProperty("role", "second");
  about->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  m_start = buttons->addButton("Open and measure", QDialogButtonBox::AcceptRole);
  m_start->setObjectName("loader_start");
  m_start->setDefault(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 12);
  column->setSpacing(10);
  column->addWidget(about);
  column->addWidget(buildFields());
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &LoaderDialog::reject);
  connect(m_start, &QPushButton::clicked, this, [this] {
    accept();
    m_open({m_file->text(), m_name->currentText(), m_interpreter->text()});
  });
  resize(640, sizeHint().height());
  takeFile(offered.file);
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
  m_file->setObjectName("loader_file");
  m_name->setObjectName("loader_name");
  m_name->setEditable(true);
  m_interpreter->setObjectName("loader_python");
  auto* label = new QLabel("Python &file");
  label->setBuddy(m_file);
  form->addRow(label, row);
  form->addRow("&Name in it", m_name);
  form->addRow("&Interpreter", m_interpreter);
  connect(browse, &QPushButton::clicked, this, &LoaderDialog::chooseFile);
  connect(m_file, &QLineEdit::editingFinished, this, [this] { takeFile(m_file->text()); });
  for (QLineEdit* edit : {m_file, m_interpreter})
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

/// Fills the other fields from the file.
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
      if (!found.interpreter.isEmpty()) m_interpreter->setText(found.interpreter);
    };
  });
}

void LoaderDialog::refresh() {
  m_start->setEnabled(m_file->text().endsWith(".py") && !m_name->currentText().isEmpty() &&
                      !m_interpreter->text().isEmpty());
}

}  // namespace millrace
