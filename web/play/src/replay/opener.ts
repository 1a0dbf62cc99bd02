/** The page at `#replay`: opens a replay from a file, as the tenant's API exports it. */

import { parseReplay, REPLAY_BYTES_MAX } from '../../../../src/match/replay/replay-form.ts';
import type { Translate } from '../i18n/translate.ts';
import { h, setText } from '../ui/dom.ts';
import { makeIcon } from '../ui/icons.ts';
import { makeSound } from '../ui/sound.ts';
import { openReplay } from './open-replay.ts';

export function showOpener(root: HTMLElement, t: Translate): void {
  const input = h('input', {
    type: 'file',
    class: 'only-heard',
    id: 'replay-file',
    accept: '.json,application/json',
    'aria-describedby': 'replay-wrong',
  });
  const wrong = h('p', { class: 'opener-wrong', id: 'replay-wrong', role: 'alert' });
  const element = h(
    'main',
    { class: 'notice opener' },
    h('h1', { class: 'notice-title' }, t('replay.title')),
    h(
      'div',
      { class: 'opener-zone' },
      makeIcon('file'),
      h('p', { class: 'notice-detail' }, t('replay.drop')),
      input,
      h('label', { class: 'button is-primary', for: input.id }, t('replay.choose')),
    ),
    wrong,
  );
  const openFile = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const error = await show(root, t, file, () => input.focus());
    setText(wrong, error ?? '');
    // Choosing the same file again must fire an event again.
    input.value = '';
  };
  input.addEventListener('change', () => void openFile(input.files?.[0]));
  followDrops(element, (file) => void openFile(file));
  root.dataset['shows'] = 'notice';
  root.setAttribute('aria-busy', 'false');
  document.title = t('replay.title');
  root.replaceChildren(element);
}

/** The fault of the file; null when it is being shown. */
async function show(
  root: HTMLElement,
  t: Translate,
  file: File,
  left: () => void,
): Promise<string | null> {
  if (file.size > REPLAY_BYTES_MAX) {
    return t('replay.tooLarge', { megabytes: `${REPLAY_BYTES_MAX / 1_024 ** 2}` });
  }
  try {
    const replay = parseReplay(await file.text());
    if (typeof replay === 'string') return noReplay(t, replay);
    const options = { root, t, replay, nearest: 0, commitment: null, leave: t('replay.other') };
    const isShown = await openReplay({ ...options, sound: makeSound() }, left);
    return isShown ? null : t('notice.unknownGame');
  } catch {
    return t('replay.failed');
  }
}

/** Only the field's name is shown: the rest is English text for programs. */
function noReplay(t: Translate, wrong: string): string {
  const place = /^([\w.[\]]+): has to be /.exec(wrong)?.[1];
  return place === undefined ? t('replay.noReplay') : t('replay.noReplayAt', { place });
}

function followDrops(element: HTMLElement, openFile: (file: File | undefined) => void): void {
  const over = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    element.classList.toggle('is-over', isOver);
  };
  element.addEventListener('dragover', over(true));
  element.addEventListener('dragleave', over(false));
  element.addEventListener('drop', (event) => {
    over(false)(event);
    openFile(event.dataTransfer?.files[0]);
  });
}
