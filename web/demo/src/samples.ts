/** The code for the current choice, as a tenant would write it. */

import type { Wish } from './backend.ts';
import type { Look } from './look.ts';

export function makeBackendSample({ game, variant, seats, level }: Wish): string {
  const fields = [
    `game: '${game}',`,
    `variant: '${variant}',`,
    ...(seats === 2 ? [] : [`seats: ${seats},`]),
    ...(level === null
      ? ["players: [{ id: 'ann' }, { id: 'ben' }],"]
      : ["mode: 'training',", `options: { botDifficulty: '${level}' },`]),
  ];
  return `import { createMatchd } from '@matchd/sdk';

const matchd = createMatchd({ url, key });

const session = await matchd.sessions.create({
  ${fields.join('\n  ')}
});
// Each player gets their own:
// session.playUrls[playerId]`;
}

export function makePageSample({ theme, palette, locale }: Look): string {
  const options = [
    'url: playUrl,',
    'getToken: () => askYourBackend(),',
    ...(theme === 'auto' ? [] : [`theme: '${theme}',`]),
    ...(palette === null ? [] : [`palette: ${makePalette(palette)},`]),
    ...(locale === '' ? [] : [`locale: '${locale}',`]),
    'onEvent: (event) => console.log(event),',
  ];
  return `import { mount } from '@matchd/sdk/embed';

const match = mount(element, {
  ${options.join('\n  ')}
});`;
}

function makePalette(palette: object): string {
  const lines = Object.entries(palette).map(([name, value]) => `    ${name}: '${value}',`);
  return `{\n${lines.join('\n')}\n  }`;
}
