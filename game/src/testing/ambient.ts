/** Blocks ambient time and randomness while a game runs: a game gets both as arguments. */

/** Runs a function during which `Math.random`, `Date.now` and the like throw. */
export function withoutAmbient<T>(run: () => T): T {
  const { Date: RealDate, Math: math, performance, crypto } = globalThis;
  const realRandom = math.random;
  const blocked = [
    block(performance, 'now'),
    block(crypto, 'getRandomValues'),
    block(crypto, 'randomUUID'),
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
    for (const restore of blocked) restore();
  }
}

/** Replaces a method; returns a function that restores it. */
function block<Name extends string>(owner: { readonly [name in Name]: unknown }, name: Name) {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { configurable: true, value: () => refuse(name) });
  return (): void => {
    if (own === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, own);
  };
}

function refuse(name: string): never {
  throw new Error(`The game uses ${name}: time and randomness are arguments`);
}
