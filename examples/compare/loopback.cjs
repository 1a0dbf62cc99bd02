// Keeps a server that cannot be told an address on 127.0.0.1: `node --require loopback.cjs server.cjs`.

const { Server } = require('node:net');

const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  const isBare = typeof port === 'number' && typeof rest[0] !== 'string';
  return listen.call(this, ...(isBare ? [port, '127.0.0.1', ...rest] : [port, ...rest]));
};
