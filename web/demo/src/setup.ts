/** The form: which game, by which rules, against whom. */

import type { DemoGame } from '../../../src/http/site/demo.ts';
import type { Wish } from './backend.ts';
import { find, make } from './find.ts';

export interface Setup {
  wish(): Wish;
  setBusy(isBusy: boolean): void;
}

/** Renders the options; `changed` is called for every choice. */
export function makeSetup(
  games: readonly DemoGame[],
  changed: () => void,
  start: () => void,
): Setup {
  const form = find<HTMLFormElement>('setup');
  addOwnGames(form, games);
  const fields = form.elements as unknown as Fields;
  const chosenGame = (): DemoGame => games.find(({ game }) => game === fields.game.value)!;
  const chosenRules = () => {
    const { variants } = chosenGame();
    return variants.find(({ name }) => name === fields.variant.value) ?? variants[0]!;
  };
  const drawVariants = (): void => {
    const { variants } = chosenGame();
    setOptions(
      fields.variant,
      variants.map(({ name }) => [name, titleOf(name)]),
    );
    find('variant-field').hidden = variants.length < 2;
  };
  const drawSeats = (): void => {
    const { min, max } = chosenRules().seats;
    const counts = Array.from({ length: max - min + 1 }, (_, index) => `${min + index}`);
    const before = fields.seats.value;
    setOptions(
      fields.seats,
      counts.map((count) => [count, `${count} players`]),
    );
    if (counts.includes(before)) fields.seats.value = before;
    find('seats-field').hidden = counts.length < 2;
    find('level-field').hidden = fields.against.value !== 'bot';
  };
  form.addEventListener('change', ({ target }) => {
    if ((target as HTMLInputElement).name === 'game') drawVariants();
    drawSeats();
    changed();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    start();
  });
  for (const radio of form.querySelectorAll<HTMLInputElement>('[name=game]')) {
    radio.disabled = games.every(({ game }) => game !== radio.value);
  }
  drawVariants();
  drawSeats();
  return {
    wish: () => ({
      game: fields.game.value,
      variant: chosenRules().name,
      seats: Number(fields.seats.value),
      level: fields.against.value === 'bot' ? fields.level.value : null,
    }),
    setBusy(isBusy) {
      form.querySelector<HTMLButtonElement>('.start')!.disabled = isBusy;
    },
  };
}

/** The operator's games, after those whose pictures the document has. */
function addOwnGames(form: HTMLFormElement, games: readonly DemoGame[]): void {
  const list = form.querySelector('.games')!;
  for (const { game, title } of games) {
    if (title === undefined) continue;
    const input = make('input', '');
    Object.assign(input, { type: 'radio', name: 'game', value: game });
    const letter = make('b', 'own-game', title.charAt(0).toUpperCase());
    letter.ariaHidden = 'true';
    list.append(make('label', '', input, letter, make('span', '', title)));
  }
}

interface Fields {
  readonly game: RadioNodeList;
  readonly variant: HTMLSelectElement;
  readonly against: RadioNodeList;
  readonly level: HTMLSelectElement;
  readonly seats: HTMLSelectElement;
}

function setOptions(select: HTMLSelectElement, values: readonly (readonly string[])[]): void {
  const options = values.map(([value, label]) => {
    const option = make('option', '', label!);
    option.value = value!;
    return option;
  });
  select.replaceChildren(...options);
}

const TITLES: Readonly<Record<string, string>> = { eightball: 'Eight-ball', nineball: 'Nine-ball' };

const titleOf = (name: string): string =>
  TITLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
