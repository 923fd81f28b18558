// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace millrace::samples {

enum class Piece : std::uint8_t { Pawn, Knight, Bishop, Rook, Queen, King };
constexpr std::size_t kPieces = 6;
enum class Side : std::uint8_t { White, Black };
constexpr Side other(Side side) { return side == Side::White ? Side::Black : Side::White; }

/// Squares are numbered from a1 (0) along the ranks to h8 (63).
struct Move {
  std::uint8_t from = 0;
  std::uint8_t to = 0;
  std::optional<Piece> promotion;
};

/// A chess position with everything that its legal moves depend on (FIDE Laws of Chess, articles 3
/// and 5; draws by repetition and by agreement are not covered). A value type.
class ChessBoard {
 public:
  /// The initial position.
  ChessBoard();
  /// Parses Forsyth-Edwards notation, which must be valid.
  explicit ChessBoard(std::string_view fen);

  struct Man {
    Piece piece;
    Side side;
  };
  const std::optional<Man>& at(int square) const {
    return m_squares[static_cast<std::size_t>(square)];
  }
  Side toMove() const { return m_toMove; }
  bool mayCastle(Side side, bool kingside) const;
  std::optional<int> enPassant() const { return m_enPassant; }
  int movesWithoutProgress() const {
    return m_quiet;
  }  ///< half-moves since the last pawn move or
     ///< capture

  bool isCheck() const { return isAttacked(king(m_toMove), other(m_toMove)); }
  bool isAttacked(int square, Side by) const;
  /// The squares that the piece on `square` attacks, one bit each; 0 for an empty square.
  std::uint64_t attacks(int square) const;
  void legalMoves(std::vector<Move>& moves) const;
  bool isCapture(const Move& move) const;
  void play(const Move& move);

 private:
  int king(Side side) const;
  void addPawnMoves(int square, std::vector<Move>& moves) const;
  void addCastling(std::vector<Move>& moves) const;
  bool pathIsSafe(int from, int to) const;
  void loseCastling(int square);

  std::array<std::optional<Man>, 64> m_squares;
  Side m_toMove = Side::White;
  std::array<bool, 4> m_castling{};  ///< white king's side, white queen's side, black king's side,
                                     ///< black queen's side
  std::optional<int> m_enPassant;
  int m_quiet = 0;
};

}  // namespace millrace::samples
