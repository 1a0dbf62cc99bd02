/** Refuses words of scripts/docs/words.ts in documents, comments, help and the API: `bun scripts/docs/check-words.ts`. */

import { ROOT, readTexts } from './files.ts';
import { checkWords } from './words.ts';

const files = readTexts(ROOT);
const faults = checkWords(files);
for (const fault of faults) console.log(fault);
console.log(`${files.length} files, ${faults.length} words to say otherwise`);
process.exitCode = faults.length === 0 ? 0 : 1;
