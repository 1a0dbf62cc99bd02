/** Starts the dashboard: renders the app into the document once. */

import { render } from 'preact';
import { App } from './app.tsx';
import { makeAnnouncer } from './shell/announcer.ts';

const announcer = makeAnnouncer();
const root = document.getElementById('app')!;
root.removeAttribute('aria-busy');
root.replaceChildren();
root.after(announcer.element);
render(<App announcer={announcer} />, root);
