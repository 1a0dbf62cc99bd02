/** After a match: replay it, and verify it. The code is loaded once, on demand. */

import type { Replay } from '../../../../src/match/replay/replay-form.ts';
import { makeFairButton } from '../fairness/fair-button.ts';
import type { Translate } from '../i18n/translate.ts';
import type { SessionView } from '../protocol.ts';
import { button, h, setEnabled, setText } from '../ui/dom.ts';
import { makeIcon } from '../ui/icons.ts';
import { reloadInstead } from '../ui/reload-instead.ts';
import type { Sound } from '../ui/sound.ts';

export interface AfterwardsPage {
  root(): HTMLElement;
  readonly sound: Sound;
  session(): SessionView | null;
  /** The commitment received during the match; null when the page was not open then. */
  commitment(): string | null;
  /** Requests the document from the server. */
  askReplay(session: string): Promise<unknown>;
}

/** The buttons for below a result. */
export function makeAfterwards(t: Translate, page: AfterwardsPage): HTMLElement {
  const fetchReplay = fetchOnce(page);
  const wrong = h('p', { class: 'after-wrong', role: 'status' });
  const watch = button('button is-small', t('replay.watch'), makeIcon('play'), () => void open());
  const open = async (): Promise<void> => {
    setEnabled(watch, false);
    setText(wrong, (await show(t, page, fetchReplay, watch)) ?? '');
    setEnabled(watch, true);
  };
  const fair = makeFairButton(t, () => ({
    commitment: page.commitment(),
    replay: fetchReplay,
  }));
  return h('div', { class: 'after' }, watch, fair, wrong);
}

/** A download is cached; a failed one is retried on the next call. */
function fetchOnce({ session, askReplay }: AfterwardsPage): () => Promise<Replay> {
  let fetched: Promise<Replay> | null = null;
  const ask = async (): Promise<Replay> => {
    const { readReplay } = await import('../../../../src/match/replay/replay-form.ts');
    const replay = readReplay(await askReplay(session()!.s));
    if (typeof replay === 'string') throw new Error(replay);
    return replay;
  };
  return () => {
    fetched ??= ask().catch((error: unknown) => {
      fetched = null;
      throw error;
    });
    return fetched;
  };
}

/** Why it cannot be shown, in words; null when it is. */
async function show(
  t: Translate,
  { root, sound, session, commitment }: AfterwardsPage,
  fetchReplay: () => Promise<Replay>,
  watch: HTMLButtonElement,
): Promise<string | null> {
  const { seat, game } = session()!;
  let code: Awaited<ReturnType<typeof loadCode>>;
  try {
    code = await loadCode(game);
  } catch {
    reloadInstead(watch, t);
    return t('notice.brokenDetail');
  }
  try {
    const replay = await fetchReplay();
    const options = {
      root: root(),
      t,
      replay,
      sound,
      nearest: seat ?? 0,
      commitment: commitment(),
    };
    const isShown = await code.openReplay({ ...options, leave: t('replay.leave') }, () =>
      watch.focus(),
    );
    return isShown ? null : t('notice.unknownGame');
  } catch {
    return t('replay.failed');
  }
}

/** Loads everything that is needed later, so that only the request itself can fail. */
async function loadCode(game: string) {
  const [code, { loadEngine }] = await Promise.all([
    import('./open-replay.ts'),
    import('../games/engines.ts'),
  ]);
  await loadEngine(game, null);
  return code;
}
