// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace millrace {

/// How a run is measured.
struct MeasureChoice {
  double warmupSeconds = 2;
  double seconds = 5;
  int repeats = 3;
  int epochs = 0;         ///< measured in each repeat instead of a time; 0: by time
  bool cold = false;      ///< drops the data from the page cache before each repeat
  int ranks = 1;          ///< processes, each on a part of the data
  QString maxFailures{};  ///< samples that may fail, "20" or "1%"; empty: the usual limit
  QString name{};         ///< of the run; empty: none
  QStringList tags{};
  bool operator==(const MeasureChoice&) const = default;
};

/// How the child that ran a pipeline ended.
struct ChildEnd {
  enum class Kind { Finished, Stopped, Failed };
  Kind kind = Kind::Finished;
  QString sentence;    ///< for Failed: what happened, and the remedy if there is one
  QString notKept;     ///< why a run that was to be kept is not, as a sentence; else empty
  QString lastOutput;  ///< the last lines of the engine's output for the user; may be empty
};

}  // namespace millrace
