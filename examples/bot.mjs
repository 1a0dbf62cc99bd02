// Plays an external bot over plain HTTP: its stream tells what happens, its actions are posted.
//   node examples/bot.mjs URL API_KEY BOT_ID
const [url, key, bot] = process.argv.slice(2);
const headers = new Headers({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

// Asks until there is an answer that will not change: 429 and 5xx pass, other refusals do not.
async function call(path, request) {
  for (;;) {
    let seconds = 1;
    try {
      const answer = await fetch(url + path, { ...request, headers });
      if (answer.ok) return answer;
      const { error } = await answer.json().catch(() => ({}));
      console.error(path, answer.status, error);
      if (answer.status !== 429 && answer.status < 500) return answer;
      seconds = Number(answer.headers.get('retry-after')) || seconds;
    } catch (error) {
      console.error(path, String(error.cause ?? error));
    }
    await wait(seconds);
  }
}

function onFrame(frame, seats) {
  if (frame.t === 'state') seats.set(frame.s, frame.seat);
  if (!['state', 'update'].includes(frame.t) || frame.turn !== seats.get(frame.s)) return;
  if (frame.status === 'pending' || !frame.legal?.length) return;
  const action = frame.legal[Math.floor(Math.random() * frame.legal.length)];
  // The version names the turn: the same turn, sent or seen again, is not played twice.
  const body = JSON.stringify({ botId: bot, id: `v${frame.v}`, action });
  // Not waited for: the bot's other matches go on.
  call(`/v1/sessions/${frame.s}/actions`, { method: 'POST', body });
}

for (;;) {
  const stream = await call(`/v1/bots/${bot}/stream`);
  if (!stream.ok) process.exit(1);
  try {
    const [seats, text] = [new Map(), new TextDecoder()];
    let rest = '';
    for await (const chunk of stream.body) {
      const lines = (rest + text.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop();
      for (const frame of lines.filter(Boolean).map(JSON.parse))
        for (const each of frame.states ?? [frame]) onFrame(each, seats);
    }
  } catch (error) {
    console.error(String(error));
  }
  await wait(1);
}
