/** A replay shown by the players' page: its file input gets the document. */

import type { Json } from '../../api.ts';

const POLL_MS = 50;
const POLLS_MAX = 200;

export function showReplay(stage: HTMLElement, replay: Json): void {
  const text = JSON.stringify(replay);
  const file = new File([text], `${replay['sessionId']}.json`, { type: 'application/json' });
  const save = document.createElement('a');
  save.href = URL.createObjectURL(file);
  save.download = file.name;
  save.textContent = 'Save the replay as a file';
  const frame = document.createElement('iframe');
  frame.src = '/play/#replay';
  frame.title = 'The replay';
  frame.allow = 'fullscreen';
  const below = document.createElement('p');
  below.append(save);
  stage.replaceChildren(frame, below);
  handOver(frame, file, POLLS_MAX);
}

/** The frame has the same origin, so the file can be put into its file input. */
function handOver(frame: HTMLIFrameElement, file: File, looksLeft: number): void {
  const input = frame.contentDocument?.querySelector<HTMLInputElement>('#replay-file');
  if (input == null) {
    if (looksLeft > 0 && frame.isConnected) {
      setTimeout(() => handOver(frame, file, looksLeft - 1), POLL_MS);
    }
    return;
  }
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
  input.dispatchEvent(new Event('change'));
}
