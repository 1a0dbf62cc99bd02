/** The state that the fight board's functions share. */

import type { Prediction } from '../../../../../game/src/prediction.ts';
import type { FightState } from '../../../../../src/games/fight-arena/state.ts';
import type { SettingName, Settings } from '../../ui/settings.ts';
import type { BoardHost, BoardState } from '../board-view.ts';
import type { Presses } from '../presses.ts';
import type { Training } from './controls/training.ts';
import type { Epilogue } from './epilogue.ts';
import type { Hud } from './hud.ts';
import type { Pace } from './pace.ts';
import type { Effect } from './scene/effects.ts';
import type { Picture } from './scene/picture.ts';
import type { StallWatch } from './stall-watch.ts';

export type DisplaySettings = Record<
  Extract<SettingName, 'netFigures' | 'hitBoxes' | 'frameData' | 'inputs'>,
  boolean
>;

/** Updated when settings change, because reading them from the device for every frame would be slow. */
export function followSettings(settings: Settings): DisplaySettings {
  const display: DisplaySettings = {
    netFigures: false,
    hitBoxes: false,
    frameData: false,
    inputs: false,
  };
  const renew = (): void => {
    for (const name of Object.keys(display) as (keyof DisplaySettings)[])
      display[name] = settings.isOn(name);
  };
  settings.onChange(renew);
  renew();
  return display;
}

export interface Ring {
  readonly host: BoardHost;
  readonly element: HTMLElement;
  readonly picture: Picture;
  readonly hud: Hud;
  readonly presses: Presses;
  readonly pace: Pace;
  readonly watch: StallWatch;
  readonly training: Training;
  /** The player's display settings. */
  readonly display: DisplaySettings;
  state: BoardState | null;
  fight: Prediction<FightState> | null;
  /** The state of the last frame, the state a tick before it, and when that tick was received. */
  shown: FightState;
  before: FightState;
  tickAt: number;
  effects: Effect[];
  shake: number;
  /** Seconds since the end of the match. */
  overFor: number;
  /** When it ended, by the frames' clock, ms; null while it is running. */
  overSince: number | null;
  /** Until when its end is shown, as `performance.now` has it; null before it is known. */
  endsAt: number | null;
  /** The ending that is shown; null if none is. */
  epilogue: Epilogue | null;
  lineAt: number;
  /** Rounds whose end, and whose beginning, has been announced. */
  announcedRounds: number;
  calledRound: number;
  isRunning: boolean;
  /** The player prefers reduced motion. */
  isCalm: boolean;
}

/** Whether the game's internals may be shown. In a match against people that would be an advantage. */
export function mayTrain({ host, state }: Ring): boolean {
  return host.live === undefined || state?.seat === null || host.live.hasBots();
}
