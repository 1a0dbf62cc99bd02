import { openHttpService, PUBLIC_URL } from './http-service.ts';
const http = await openHttpService({ log: { debug() {}, info() {}, error() {} } as never });
const t = await http.makeTenant(); const key = await http.makeKey(t, 'test');
const N = Number(process.argv[3] ?? 6000), mode = process.argv[2];
let n = 0;
const body = () => JSON.stringify({ game: 'tictactoe', players: [{ id: `a${n}` }, { id: `b${n++}` }] });
const req = () => new Request(`${PUBLIC_URL}/v1/sessions`, { method: 'POST', body: body(), headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } });
const sample = await (await http.app.fetch(req(), { address: '1.1.1.1' })).text();
if (mode === 'fake') { let cached: any = null; const orig = http.service.create; (http.service as any).create = async (r: any, k: any) => (cached ??= await orig(r, k)); }
const serve = mode === 'bare'
  ? Bun.serve({ port: 0, async fetch(r) { await r.json(); return new Response(sample, { status: 201, headers: { 'content-type': 'application/json' } }); } })
  : Bun.serve({ port: 0, fetch: (r, s) => http.app.fetch(r, { address: s.requestIP(r)!.address }) });
console.log(serve.port, process.pid);
// driver in a child process
const child = Bun.spawn([process.execPath, '/tmp/perf/driver.ts', String(serve.port), key, String(N)], { stdout: 'inherit', stderr: 'inherit', env: {...process.env} });
const c0 = process.cpuUsage(); const t0 = performance.now();
await child.exited;
const c = process.cpuUsage(c0);
console.log(mode, ((c.user + c.system) / N).toFixed(1), 'us cpu/request', (c.user/N).toFixed(1), (c.system/N).toFixed(1), ((performance.now() - t0) / N * 1000).toFixed(1), 'us wall');
serve.stop(true); await http.close(); process.exit(0);
