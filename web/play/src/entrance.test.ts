/** Tests of the page's parameters: what it reads from the address, and what it stores for a reload. */

import { describe, expect, test } from 'bun:test';
import type { Entrance } from './entrance.ts';
import { makeEntrance } from './entrance.ts';

const TOKEN = 'head.body.signature-of-the-token';

/** A window's address, history and storage, as far as the page uses them. */
function makeWindow(hash: string) {
  const items = new Map<string, string>();
  const location = { hash, pathname: '/play/', search: '' };
  const history = {
    state: null as unknown,
    replaceState(state: unknown, _: string, url?: string | URL | null) {
      this.state = structuredClone(state);
      location.hash = new URL(String(url), 'http://host').hash;
    },
  };
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  };
  return { location, history, storage, items };
}

/** The credentials to try, best first. */
const credentialsOf = ({ resumeToken, token }: Entrance): string[] =>
  [resumeToken, token].filter((each) => each !== null);

describe('the token', () => {
  test('[P2] is removed from the address at once', () => {
    const window = makeWindow(`#token=${TOKEN}&theme=dark&lang=de`);
    const entrance = makeEntrance(window);
    expect(window.location.hash).toBe('');
    expect(entrance).toMatchObject({ token: TOKEN, resumeToken: null, theme: 'dark', lang: 'de' });
    expect(JSON.stringify(window.history.state)).not.toContain(TOKEN);
  });

  test('[P2] after a reload the page has the resume token and the host’s parameters', () => {
    const window = makeWindow(`#token=${TOKEN}&theme=light&lang=pt`);
    makeEntrance(window).storeResumeToken('resume.1');
    const again = makeEntrance(window);
    expect(again).toMatchObject({
      resumeToken: 'resume.1',
      token: null,
      theme: 'light',
      lang: 'pt',
    });
  });

  test('[P2] the same link again tries the resume token first, another link its own', () => {
    const window = makeWindow(`#token=${TOKEN}`);
    makeEntrance(window).storeResumeToken('resume.1');
    window.location.hash = `#token=${TOKEN}`;
    expect(credentialsOf(makeEntrance(window))).toEqual(['resume.1', TOKEN]);
    window.location.hash = '#token=another.token.altogether-signed';
    expect(credentialsOf(makeEntrance(window))).toEqual(['another.token.altogether-signed']);
  });

  test('[P2] frames of one tab share their storage but not their tokens', () => {
    const first = makeWindow(`#token=${TOKEN}`);
    const second = {
      ...makeWindow('#token=head.body.signature-of-the-other'),
      storage: first.storage,
    };
    makeEntrance(first).storeResumeToken('resume.1');
    makeEntrance(second).storeResumeToken('resume.2');
    expect(credentialsOf(makeEntrance(first))).toEqual(['resume.1']);
    expect(credentialsOf(makeEntrance(second))).toEqual(['resume.2']);
  });

  test('[P2] a page without token, state or storage starts without an error', () => {
    expect(credentialsOf(makeEntrance(makeWindow('')))).toEqual([]);
    expect(credentialsOf(makeEntrance(makeWindow('#token=')))).toEqual([]);
    const window = { ...makeWindow(`#token=${TOKEN}&theme=url(x)`), storage: null };
    const entrance = makeEntrance(window);
    entrance.storeResumeToken('resume.1');
    expect(credentialsOf(entrance)).toEqual([TOKEN]);
    expect(entrance.theme).toBe('auto');
    window.history.state = 'of somebody else';
    window.location.hash = '';
    expect(credentialsOf(makeEntrance(window))).toEqual([]);
  });

  test('[WEB] colours and a changed language survive a reload; invalid JSON is ignored', () => {
    const palette = { primary: '#f05', radius: 8 };
    const window = makeWindow(`#palette=${encodeURIComponent(JSON.stringify(palette))}&lang=de`);
    const entrance = makeEntrance(window);
    expect(entrance.palette).toEqual(palette);
    entrance.storeLang('hi');
    expect(makeEntrance(window)).toMatchObject({ palette, lang: 'hi' });
    for (const odd of ['{', 'url(x)', `"${'x'.repeat(5_000)}"`]) {
      const other = makeEntrance(makeWindow(`#palette=${encodeURIComponent(odd)}`));
      expect(other.palette).toBeNull();
    }
  });

  test('[WEB] an invite link survives a reload, contains the code’s placeholder, and is used whole', () => {
    const window = makeWindow('#embed=n0nce&host=https%3A%2F%2Fshop.example');
    const entrance = makeEntrance(window);
    expect(entrance.invitation).toEqual({ nonce: 'n0nce', host: 'https://shop.example' });
    expect(credentialsOf(entrance)).toEqual([]);
    entrance.storeResumeToken('resume.1');
    window.location.hash = '';
    const again = makeEntrance(window);
    expect(again.invitation).toEqual(entrance.invitation);
    expect(credentialsOf(again)).toEqual(['resume.1']);
    for (const odd of ['#embed=n', '#host=https://a.example', '#embed=n&host=null']) {
      expect(makeEntrance(makeWindow(odd)).invitation).toBeNull();
    }
  });

  test("[W1] a beginners' table survives a reload; only the value `on` turns it on", () => {
    const window = makeWindow('#token=a&paths=on');
    expect(makeEntrance(window).ballPaths).toBe(true);
    expect(makeEntrance(window).ballPaths).toBe(true);
    window.location.hash = '#token=b&paths=off';
    expect(makeEntrance(window).ballPaths).toBe(false);
    for (const odd of ['', '#paths', '#paths=ON', '#paths=1', '#paths=on,on']) {
      expect(makeEntrance(makeWindow(odd)).ballPaths).toBe(false);
    }
  });
});
