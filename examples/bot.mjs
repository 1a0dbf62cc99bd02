// Plays an external bot over plain HTTP: its stream tells what happens, its actions are posted.
//   node examples/bot.mjs URL API_KEY BOT_ID
const [url, key, bot] = process.argv.slice(2);

async function call(path, body) {
  return fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
}

async function onFrame(frame, seats) {
  if (frame.t === 'state') seats.set(frame.s, frame.seat);
  if (!['state', 'update'].includes(frame.t) || frame.turn !== seats.get(frame.s)) return;
  if (frame.status === 'pending' || !frame.legal?.length) return;
  const action = frame.legal[Math.floor(Math.random() * frame.legal.length)];
  // The version names the turn: the same turn, seen again, is not played twice.
  await call(`/v1/sessions/${frame.s}/actions`, { botId: bot, id: `v${frame.v}`, action });
}

for (;;) {
  try {
    const [seats, text] = [new Map(), new TextDecoder()];
    let rest = '';
    for await (const chunk of (await call(`/v1/bots/${bot}/stream`)).body) {
      const lines = (rest + text.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop();
      for (const frame of lines.filter(Boolean).map(JSON.parse))
        for (const each of frame.states ?? [frame]) await onFrame(each, seats);
    }
  } catch (error) {
    console.error(String(error));
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
