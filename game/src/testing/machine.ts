/** Keeps the machine's clock and chance from a game, which may ask for neither. */

/** Runs with `Math.random`, the time of now and their kin out of reach: whoever asks for one throws. */
export function withoutMachine<T>(run: () => T): T {
  const { Date: RealDate, Math: math, performance, crypto } = globalThis;
  const realRandom = math.random;
  const hidden = [
    hide(performance, 'now'),
    hide(crypto, 'getRandomValues'),
    hide(crypto, 'randomUUID'),
  ];
  math.random = () => refuse('Math.random');
  globalThis.Date = new Proxy(RealDate, {
    apply: () => refuse('Date'),
    construct: (target, args) =>
      args.length === 0 ? refuse('new Date') : Reflect.construct(target, args),
    get: (target, name) => (name === 'now' ? () => refuse('Date.now') : Reflect.get(target, name)),
  });
  try {
    return run();
  } finally {
    math.random = realRandom;
    globalThis.Date = RealDate;
    for (const show of hidden) show();
  }
}

/** Hides a method that an object inherits; answers how it is shown again. */
function hide<Name extends string>(owner: { readonly [name in Name]: unknown }, name: Name) {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { configurable: true, value: () => refuse(name) });
  return (): void => {
    if (own === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, own);
  };
}

function refuse(name: string): never {
  throw new Error(`The game asks the machine (${name}): time and chance are handed in`);
}
