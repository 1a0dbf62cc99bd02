// [match] One match of tic-tac-toe: a room whose id is the code that players join by.

// [code]
import { randomInt } from 'node:crypto';
// [crash]
import { appendFileSync } from 'node:fs';
// [auth]
import { JWT } from '@colyseus/auth';
import { CloseCode, Room } from '@colyseus/core';
// [bot]
import { BOT, chooseCell } from './bot.mjs';
// [crash]
import { fileOf, recordsOf } from './records.mjs';
import { isLegal, makeBoard, NOBODY, place } from './rules.mjs';

// [code]
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
// [code]
const makeCode = () => Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
// [time]
const TURN_MS = Number(process.env.TURN_MS ?? 30_000);

export class TicTacToe extends Room {
  state = makeBoard();
  patchRate = null;
  messages = {
    move: (client, cell, context) => {
      const seat = this.state.seats.indexOf(client.auth.id);
      if (!isLegal(this.state, seat, cell)) return context.reject('illegal_move');
      this.commit({ cell });
    },
  };

  // [auth]
  static onAuth(token) {
    return JWT.verify(token);
  }

  async onCreate({ match, isHidden = false, withBot = false }) {
    // [code]
    this.roomId = match ?? makeCode();
    // [code]
    await this.setMatchmaking({ unlisted: isHidden || match !== undefined });
    // [bot]
    this.withBot = withBot;
    // [crash]
    if (match !== undefined) {
      for (const record of recordsOf(match)) this.apply(record);
      // Else clients get these changes twice, with the state and as a patch, and see a tenth cell.
      this.broadcastPatch();
      this.goOn();
    }
  }

  onJoin(client, { isWatching = false }) {
    const { seats } = this.state;
    // [spectators]
    if (isWatching) return;
    // [crash]
    if (seats.includes(client.auth.id)) return;
    if (seats.length === 2) throw new Error('The match is full');
    this.commit({ player: client.auth.id });
    // [bot]
    if (this.withBot) this.commit({ player: BOT });
    // [lobby]
    if (seats.length === 2) this.setMatchmaking({ unlisted: true });
  }

  // [reconnect]
  onDrop(client, code) {
    // Of a client that `onJoin` refused it would throw, and take the whole server down (0.18.17).
    if (code !== CloseCode.WITH_ERROR) this.allowReconnection(client, 60);
  }

  commit(record) {
    // [time]
    this.timer?.clear();
    // [crash]
    appendFileSync(fileOf(this.roomId), `${JSON.stringify(record)}\n`, { flush: true });
    this.apply(record);
    this.broadcastPatch();
    this.goOn();
  }

  apply({ player, cell, late }) {
    if (player !== undefined) this.state.seats.push(player);
    if (cell !== undefined) place(this.state, cell);
    // [time]
    if (late !== undefined) this.state.winner = 1 - late;
  }

  goOn() {
    const { seats, turn, winner, cells } = this.state;
    // [time]
    if (seats.length < 2 || winner !== NOBODY) return;
    // [time]
    this.timer = this.clock.setTimeout(() => this.commit({ late: turn }), TURN_MS);
    // [bot]
    if (seats[turn] === BOT) this.commit({ cell: chooseCell([...cells], turn) });
  }
}
