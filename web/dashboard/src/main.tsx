/** Starts the dashboard: renders the app into the document once. */

import { render } from 'preact';
import { App } from './app.tsx';
import { makeAnnouncer } from './shell/announcer.ts';
import { refreshTimes } from './ui/time.ts';

/** How often pages that are not rewritten yet say anew how long ago things were. */
const TIMES_MS = 5_000;

const announcer = makeAnnouncer();
const root = document.getElementById('app')!;
root.removeAttribute('aria-busy');
root.replaceChildren();
root.after(announcer.element);
render(<App announcer={announcer} />, root);
setInterval(refreshTimes, TIMES_MS);
