// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace millrace {

/// How a run is measured.
struct MeasureChoice {
  double warmupSeconds = 2;
  double seconds = 5;
  int repeats = 3;
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
