// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/samples/chess_board.h"

namespace millrace::samples {

/// A position as the example `chess` reads it.
///
/// `d`: 194 bytes of bits, the most significant of each byte first. Bits 0 to 1535 are 8x8x24:
/// rank, file, plane, seen from the side to move (its own first rank is rank 0). Planes 0 to 5 are
/// its men (pawn, knight, bishop, rook, queen, king), 6 to 11 the opponent's, 12 to 17 the squares
/// that its men attack, by kind, 18 to 23 those that the opponent's do. Bits 1536 to 1545 are
/// flags: may castle on the king's side, on the queen's; the opponent may; in check; a pawn can be
/// taken in passing; black is to move; something was taken last; no queen is left; 50 quiet moves.
/// Bit 1546: the game went on to a mate, and `s` counts to it. `s`: material in hundredths of a
/// pawn, for the side to move; with the mate bit the moves to the mate, negative for the side that
/// is mated.
struct ChessRecord {
  std::vector<std::byte> d;
  std::int64_t s = 0;
};

constexpr std::size_t kChessRecordBytes = 194;

/// Positions of games played at random, captures and checks a little more often, one game behind
/// the other until there are `count`.
std::vector<ChessRecord> playChess(Draw& draw, std::size_t count);

/// One TFRecord with a tf.train.Example of both.
void appendTfRecord(const ChessRecord& record, std::vector<std::byte>& file);

}  // namespace millrace::samples
