/** A prediction that can be used at once, and starts when its code has been loaded. */

import type { Prediction } from '../../../../game/src/prediction.ts';

/** Delay before a failed download is retried. Ms. */
const RETRY_MS = 2_000;

export function makeLazyPrediction<State>(
  load: () => Promise<Prediction<State>>,
): Prediction<State> {
  let loaded: Prediction<State> | null = null;
  let isStopped = false;
  const begin = async (): Promise<void> => {
    try {
      const prediction = await load();
      if (isStopped) prediction.stop();
      else loaded = prediction;
    } catch {
      // The network may be back by then.
      if (!isStopped) setTimeout(() => void begin(), RETRY_MS);
    }
  };
  void begin();
  return {
    frame: (mask) => loaded?.frame(mask) ?? null,
    get confirmed() {
      return loaded?.confirmed ?? null;
    },
    get stats() {
      return loaded?.stats ?? null;
    },
    get resumesInMs() {
      return loaded?.resumesInMs ?? null;
    },
    stop() {
      isStopped = true;
      loaded?.stop();
    },
  };
}
