// [crash] Matches in SQLite. The storage that comes with boardgame.io, FlatFile, loses more (see play.mjs).

const { DatabaseSync } = require('node:sqlite');
const { Sync } = require('boardgame.io/internal');

const TABLE = `
  CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY, state TEXT, initialState TEXT, metadata TEXT, log TEXT
  )`;
const json = (value) => JSON.stringify(value);

exports.SqliteStorage = class extends Sync {
  constructor(file) {
    super();
    this.db = new DatabaseSync(file);
    this.db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${TABLE}`);
  }
  connect() {}
  createMatch(id, { initialState, metadata }) {
    const state = json(initialState);
    const insert = this.db.prepare('INSERT INTO matches VALUES (?, ?, ?, ?, ?)');
    insert.run(id, state, state, json(metadata), '[]');
  }
  setState(id, state, deltalog = []) {
    const log = [...this.fetch(id, { log: true }).log, ...deltalog];
    const update = this.db.prepare('UPDATE matches SET state = ?, log = ? WHERE id = ?');
    update.run(json(state), json(log), id);
  }
  setMetadata(id, metadata) {
    this.db.prepare('UPDATE matches SET metadata = ? WHERE id = ?').run(json(metadata), id);
  }
  fetch(id, wanted) {
    const row = this.db.prepare('SELECT * FROM matches WHERE id = ?').get(id);
    if (row === undefined) return {};
    const fields = Object.keys(wanted).filter((name) => wanted[name]);
    return Object.fromEntries(fields.map((name) => [name, JSON.parse(row[name])]));
  }
  wipe(id) {
    this.db.prepare('DELETE FROM matches WHERE id = ?').run(id);
  }
  listMatches({ gameName, where = {} } = {}) {
    const { isGameover, updatedBefore = Infinity, updatedAfter = 0 } = where;
    const rows = this.db.prepare('SELECT id, metadata FROM matches').all();
    const isWanted = ({ metadata }) => {
      const match = JSON.parse(metadata);
      if (gameName !== undefined && match.gameName !== gameName) return false;
      if (isGameover !== undefined && isGameover !== (match.gameover !== undefined)) return false;
      return match.updatedAt < updatedBefore && match.updatedAt > updatedAfter;
    };
    return rows.filter(isWanted).map(({ id }) => id);
  }
};
