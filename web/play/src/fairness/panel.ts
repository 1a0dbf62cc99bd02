/** The fairness panel: the commitment, the revealed seed, and the result of every check. */

import type { Replay } from '../../../../src/match/replay/replay-form.ts';
import { loadEngine } from '../games/engines.ts';
import type { Translate } from '../i18n/translate.ts';
import { button, h, setText } from '../ui/dom.ts';
import { makeIcon } from '../ui/icons.ts';
import type { Finding, MatchCheck } from './check-match.ts';
import { checkMatch } from './check-match.ts';

/** The data that a match is checked with. */
export interface FairSource {
  /** The commitment received during the match; null when the page was not open then. */
  readonly commitment: string | null;
  /** The whole match; null while it is running. */
  readonly replay: (() => Promise<Replay>) | null;
}

/** How long "Copied" stays. Milliseconds. */
const COPIED_MS = 2_000;
/** After this the browser has read a downloaded file. Milliseconds. */
const REVOKE_MS = 10_000;

/** Opens it; it is removed when it is closed. */
export function showFairness(root: Element, t: Translate, source: FairSource): void {
  const title = h('h2', { id: 'fair-title' }, t('fair.title'));
  const body = h('div', { class: 'fair-body' });
  const close = button('button', t('fair.close'), null, () => dialog.close());
  const dialog = h(
    'dialog',
    { class: 'dialog fair-panel', 'aria-labelledby': title.id },
    title,
    body,
    h('div', { class: 'dialog-actions' }, close),
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  root.append(dialog);
  dialog.showModal();
  if (source.replay === null) showCommitment(body, source.commitment, t);
  else void check(body, source, t);
}

/** During the match there is only the commitment. */
function showCommitment(body: Element, commitment: string | null, t: Translate): void {
  body.replaceChildren(
    h('p', {}, t('fair.during')),
    ...(commitment === null ? [] : [makeValue(t('fair.commitment'), commitment, t)]),
  );
}

async function check(body: Element, source: FairSource, t: Translate): Promise<void> {
  const verdict = h('p', { class: 'fair-verdict', role: 'status' }, t('fair.checking'));
  body.replaceChildren(verdict);
  try {
    const replay = await source.replay!();
    const engine = await loadEngine(replay.game, replay);
    if (engine === null) throw new Error(`There are no rules of ${replay.game}`);
    const found = await checkMatch(engine, replay, source.commitment, {
      now: () => performance.now(),
      rest: () => new Promise((resolve) => setTimeout(resolve)),
      onProgress: (steps) => setText(verdict, t('fair.checkingSteps', { count: steps })),
    });
    const { commitment, seed } = replay.fairness;
    verdict.dataset['good'] = String(found.isGood);
    const isKnown = engine.rulesVersion === replay.rulesVersion;
    setText(verdict, t(found.isGood ? 'fair.good' : isKnown ? 'fair.bad' : 'fair.otherRules'));
    body.append(
      h('p', {}, t('fair.why')),
      makeDownload(replay, t),
      h('ul', { class: 'fair-list' }, ...found.findings.map((each) => makeLine(each, found, t))),
      makeWrong(found, t),
      makeValue(t('fair.commitment'), commitment, t),
      ...(seed === null ? [] : [makeValue(t('fair.seed'), seed, t)]),
    );
  } catch {
    setText(verdict, t('replay.failed'));
  }
}

function makeLine({ name, state }: Finding, { steps, drawn }: MatchCheck, t: Translate): Element {
  const words = [t(name === 'steps' ? 'fair.check.steps' : `fair.check.${name}`, { count: steps })];
  if (name === 'steps' && drawn > 0) words.push(t('fair.drawn', { count: drawn }));
  const mark = { passed: 'tick', failed: 'cross', open: 'dash' } as const;
  return h(
    'li',
    { 'data-state': state },
    makeIcon(mark[state]),
    h('span', {}, words.join(' ')),
    h('span', { class: 'only-heard' }, t(`fair.${state}`)),
  );
}

/** The failing record, and the message for its investigator. */
function makeWrong({ v, error }: MatchCheck, t: Translate): HTMLElement {
  const place = v === null ? null : h('p', {}, t('fair.wrongAt', { v: String(v) }));
  const detail = error === null ? null : h('p', { lang: 'en', class: 'fair-error' }, error);
  return h('div', { class: 'fair-wrong', hidden: error === null }, place, detail);
}

/** The whole match as a file: any program can verify it, and the page at `#replay` shows it. */
function makeDownload(replay: Replay, t: Translate): HTMLElement {
  return button('button is-small fair-download', t('replay.download'), null, () => {
    const file = new Blob([JSON.stringify(replay)], { type: 'application/json' });
    const link = h('a', { href: URL.createObjectURL(file), download: `${replay.sessionId}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_MS);
  });
}

/** A value with a copy button. */
function makeValue(label: string, value: string, t: Translate): HTMLElement {
  const title = h('h3', { id: `fair-${value.slice(0, 8)}` }, label);
  const code = h('code', {}, value);
  const copy = button('button is-small', t('fair.copy'), null, () => void copyValue());
  const words = copy.lastElementChild!;
  const copyValue = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      setText(words, t('fair.copied'));
      setTimeout(() => setText(words, t('fair.copy')), COPIED_MS);
    } catch {
      // A frame may have no access to the clipboard: then the value is at least selected.
      getSelection()?.selectAllChildren(code);
    }
  };
  copy.setAttribute('aria-describedby', title.id);
  return h('div', { class: 'fair-value' }, title, code, copy);
}
