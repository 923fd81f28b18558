// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/export_work.h"

#include <QCoreApplication>
#include <QPointer>
#include <QProcess>
#include <QThreadPool>

#include "core/export/export_check.h"
#include "core/export/exported_code.h"
#include "widgets/bridge/engine_program.h"
#include "widgets/common/shell_command.h"
#include "widgets/common/strings.h"
#include "widgets/models/code_trust.h"

namespace millrace {

namespace {

/// Why no code can be generated: the first error, and the number of further ones.
QString refusalOf(const ExportCheck& check) {
  const Problem* first = nullptr;
  int more = -1;
  for (const Problem& problem : check.problems) {
    if (problem.severity != Severity::Error) continue;
    if (first == nullptr) first = &problem;
    ++more;
  }
  if (first == nullptr) return "The pipeline cannot be checked.";
  QString place = toQt(first->node);
  if (!first->field.empty()) place += (place.isEmpty() ? "" : ".") + toQt(first->field);
  QString words =
      place.isEmpty() ? sentence(first->message) : place + ": " + toQt(first->message) + '.';
  if (!first->remedy.empty()) words += ' ' + sentence(first->remedy);
  if (more > 0) words += QString(" There are %1 more problems.").arg(more);
  return words;
}

/// The arguments of `millrace`.
QStringList exportArguments(const ExportSource& source, const ExportOptions& options,
                            const Exporter& target) {
  QStringList words = QStringList{"export"} + source.subject;
  words << "--to" << toQt(target.name);
  // The window shows and saves one file.
  if (target.isCode && !target.translates) words << "--inline";
  if (options.noRandom && target.isCode) words << "--no-random";
  if (!options.figures && target.isCode) words << "--no-figures";
  if (options.training && target.trains) words << "--with-training";
  return words;
}

/// The engine's text in the target's language; on failure, the last line of its error output.
Result<std::string> textByEngine(const ExportSource& source, const ExportOptions& options,
                                 const Exporter& target) {
  constexpr int kPatienceMs = 60000;
  QProcess engine;
  engine.start(source.engine, exportArguments(source, options, target));
  if (!engine.waitForFinished(kPatienceMs)) {
    engine.kill();
    engine.waitForFinished();
    return Error{"the engine does not respond: " + fromQt(engine.errorString())};
  }
  if (engine.exitStatus() != QProcess::NormalExit || engine.exitCode() != 0)
    return Error{fromQt(lastLinesOf(engine.readAllStandardError()))};
  return engine.readAllStandardOutput().toStdString();
}

std::optional<double> measuredRate(ExportRates& rates, const Exporter& exporter,
                                   const std::string& text) {
  if (!exporter.isCode) return rates.ofEngine(text);
  const auto digest = digestOfExport(text);
  const auto rate = digest ? rates.of(*digest) : std::nullopt;
  return rate ? std::optional(rate->samplesPerSecond) : std::nullopt;
}

}  // namespace

bool hasFigures(const ExportSource& source) {
  return !source.engine.isEmpty() || !source.figures.empty();
}

QString storeOf(const ExportSource& source) {
  const qsizetype flag = source.subject.indexOf("--store");
  return flag < 0 ? QString() : source.subject.value(flag + 1);
}

ExportedTargets exportAll(const ExportSource& source, const ExportOptions& options) {
  ExportedTargets all;
  // The check opens the data, which may be a dataset in Python.
  if (const QString why = whyNotAllowed(source.graph, *source.catalog, source.base);
      !why.isEmpty()) {
    for (const Exporter& exporter : exporters()) all.targets.push_back({&exporter, {}, why, {}});
    return all;
  }
  const ExportCheck check =
      checkForExport(source.graph, *source.catalog, source.base, options.noRandom);
  ExportSubject subject;
  subject.graph = &source.graph;
  subject.catalog = source.catalog;
  subject.pipeline = check.pipeline ? &*check.pipeline : nullptr;
  subject.dataKnown = check.dataKnown;
  subject.name = source.name;
  subject.version = source.version;
  const QString store = storeOf(source);
  ExportRates rates(store.isEmpty() ? defaultStorePath() : pathOf(store));
  if (options.figures) {
    subject.figures = source.figures;
    subject.rateOf = [&rates](const std::string& digest) {
      const auto rate = rates.of(digest);
      return rate ? rate->text : std::string();
    };
  }
  for (const std::string& note : check.notes) all.notes << sentence(note);
  for (const Exporter& exporter : exporters()) {
    ExportedTarget& target = all.targets.emplace_back();
    target.exporter = &exporter;
    if (exporter.isCode && subject.pipeline == nullptr) {
      target.refusal = refusalOf(check);
      continue;
    }
    subject.withTraining = options.training && exporter.trains;
    Result<Exported> written = exportAs(exporter, subject);
    if (written && !source.engine.isEmpty()) {
      Result<std::string> text = textByEngine(source, options, exporter);
      if (text)
        written->text = text.take();
      else
        written = text.error();
    }
    if (written) {
      target.exported = written.take();
      target.rate = measuredRate(rates, exporter, target.exported->text);
    } else {
      target.refusal = sentence(written.error().message);
    }
  }
  return all;
}

QString exportCommand(const ExportSource& source, const ExportOptions& options,
                      const Exporter& target) {
  return shellCommand(QStringList{"millrace"} + exportArguments(source, options, target));
}

void ExportWork::start(const ExportSource& source, const ExportOptions& options) {
  QPointer<ExportWork> self(this);
  QThreadPool::globalInstance()->start([self, source, options, order = ++m_order] {
    auto targets = std::make_shared<const ExportedTargets>(exportAll(source, options));
    // Queued to the application object: if the dialog is closed meanwhile, the result is dropped
    // there.
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, order, targets = std::move(targets)] {
          if (self && self->m_order == order) emit self->finished(targets);
        },
        Qt::QueuedConnection);
  });
}

}  // namespace millrace
