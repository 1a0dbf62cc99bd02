/** Below or next to the board: the last event, and the button for the list of moves, which is loaded on demand. */

import type { BoardModule } from '../games/board-view.ts';
import type { Translate } from '../i18n/translate.ts';
import { button, h, setText } from '../ui/dom.ts';
import { makeIcon } from '../ui/icons.ts';
import { makeSettingButton } from '../ui/setting-button.ts';
import type { Book } from './book.ts';
import type { Step } from './history.ts';
import { storedSession } from './stored-session.ts';
import type { TrailHost } from './trail-host.ts';

export interface Trail {
  readonly element: HTMLElement;
  /** Shows an event; null shows none. */
  showEvent(text: string | null): void;
  /** Handles a change of the session. */
  addStep(step: Step): void;
  /** The board is loaded: events that waited for its texts can be shown. */
  setBoard(board: BoardModule): void;
}

/** The state that the trail's functions share. */
interface Stage {
  readonly t: Translate;
  readonly host: TrailHost;
  readonly element: HTMLElement;
  readonly text: HTMLElement;
  readonly open: HTMLButtonElement;
  board: BoardModule | null;
  event: string;
  /** The book's dependencies, which it gets once it is loaded. */
  waiting: Step[];
  book: Book | null;
  isLoading: boolean;
}

export function makeTrail(t: Translate, host: TrailHost): Trail {
  const stage: Stage = {
    t,
    host,
    element: h('section', { class: 'trail', 'aria-label': t('trail.label'), hidden: true }),
    text: h('p', { class: 'trail-text' }),
    open: button('button trail-open', t('trail.moves'), makeIcon('list'), () => void press(stage)),
    board: null,
    event: '',
    waiting: [],
    book: null,
    isLoading: false,
  };
  stage.open.setAttribute('aria-expanded', 'false');
  stage.element.append(h('div', { class: 'trail-line' }, stage.text, stage.open));
  return {
    element: stage.element,
    showEvent(event) {
      if (event !== null) show(stage, event);
    },
    addStep: (step) => addStep(stage, step),
    setBoard(board) {
      stage.board = board;
      stage.element.hidden = board.runsByClock === true;
      showSettings(stage, board);
      if (stage.waiting.some(hasMoves)) void load(stage);
    },
  };
}

function show(stage: Stage, event: string): void {
  stage.event = event;
  stage.text.title = event;
  if (stage.book === null) setText(stage.text, event);
  else stage.book.showEvent(event);
}

function addStep(stage: Stage, step: Step): void {
  if (stage.book !== null) {
    stage.book.addStep(step);
    return;
  }
  stage.waiting.push(step);
  if (stage.board !== null && hasMoves(step)) void load(stage);
}

/** Whether there is something to list. Before that nothing is loaded. */
function hasMoves({ session, cause }: Step): boolean {
  return cause.t === 'update' || session.lastMove !== null || storedSession() === session.s;
}

function showSettings({ element, t, host }: Stage, { settings = [] }: BoardModule): void {
  if (element.querySelector('.trail-settings') !== null || settings.length === 0) return;
  const buttons = settings.map((name) => makeSettingButton(t, host.settings, name));
  element.append(h('div', { class: 'trail-settings' }, ...buttons));
}

async function press(stage: Stage): Promise<void> {
  await load(stage);
  if (stage.book === null) stage.host.refuse(stage.t('notice.brokenDetail'));
  else stage.book.toggle();
}

/** Loads the list of moves. After a failure the next move retries. */
async function load(stage: Stage): Promise<void> {
  const { board, t, host, element, text, open } = stage;
  if (stage.book !== null || stage.isLoading || board === null || board.runsByClock) return;
  stage.isLoading = true;
  try {
    const { makeBook } = await import('./book.ts');
    stage.book = makeBook({ t, host, board, element, text, open });
    for (const step of stage.waiting) stage.book.addStep(step);
    stage.waiting = [];
    if (stage.event === '') stage.event = stage.book.lastSentence() ?? '';
    show(stage, stage.event);
  } catch {
    // The line works without it.
  } finally {
    stage.isLoading = false;
  }
}
