import { openHttpService, PUBLIC_URL } from './http-service.ts';
const kind = process.argv[2];
let cached: any = null;
const http = await openHttpService({ log: { debug() {}, info() {}, error() {} } as never });
const t = await http.makeTenant(); const key = await http.makeKey(t, 'test');
let n = 0;
const body = () => JSON.stringify({ game: 'tictactoe', players: [{ id: `a${n}` }, { id: `b${n++}` }] });
const req = () => new Request(`${PUBLIC_URL}/v1/sessions`, { method: 'POST', body: body(), headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } });
if (kind !== 'real') { const orig = http.service.create; (http.service as any).create = async (r: any, k: any) => (cached ??= await orig(r, k)); }
for (let i = 0; i < 3000; i++) await http.app.fetch(req(), { address: '1.1.1.1' });
const N = Number(process.argv[3] ?? 10000); const c0 = process.cpuUsage(); const t0 = performance.now();
for (let i = 0; i < N / 50; i++) await Promise.all(Array.from({ length: 50 }, () => http.app.fetch(req(), { address: '1.1.1.1' })));
const c = process.cpuUsage(c0); console.log(kind, ((c.user + c.system) / N).toFixed(1), 'us cpu', ((performance.now() - t0) / N * 1000).toFixed(1), 'wall');
const c1 = process.cpuUsage(); for (let i = 0; i < N; i++) req(); const c2 = process.cpuUsage(c1); console.log('of which Request making', ((c2.user + c2.system) / N).toFixed(1));
process.exit(0);
