// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/sample_data/chess_board.h"

namespace millrace::samples {

/// A position in the format that the example `chess` reads.
///
/// `d`: 194 bytes of bits, the most significant bit of each byte first. Bits 0 to 1535 are 8x8x24:
/// rank, file, plane, seen from the side to move (its first rank is rank 0). Planes 0 to 5 are its
/// pieces (pawn, knight, bishop, rook, queen, king), 6 to 11 those of the opponent, 12 to 17 the
/// squares that its pieces attack, by kind, 18 to 23 those that the opponent's pieces attack. Bits
/// 1536 to 1545 are flags: may castle on the king's side; on the queen's side; the opponent may
/// (two bits); in check; en passant is possible; black is to move; the last move was a capture; no
/// queen is left; 50 moves without progress. Bit 1546: the game ended in a mate, and `s` counts the
/// moves to it. `s`: material in hundredths of a pawn for the side to move; with the mate bit the
/// moves to the mate, negative for the side that is mated.
struct ChessRecord {
  std::vector<std::byte> d;
  std::int64_t s = 0;
};

constexpr std::size_t kChessRecordBytes = 194;

/// Positions of randomly played games, in which captures and checks are slightly more likely; games
/// follow one another until there are `count` positions.
std::vector<ChessRecord> playChess(Draw& draw, std::size_t count);

/// Appends one TFRecord with a tf.train.Example of both values.
void appendTfRecord(const ChessRecord& record, std::vector<std::byte>& file);

}  // namespace millrace::samples
