/**
 * Checks the documents against the project: links, decision records. `bun
 * scripts/docs/check-docs.ts`.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT, readTexts } from './files.ts';
import { checkLinks, checkRecordNumbers, checkRecords } from './links.ts';

const files = readTexts(ROOT);
const exists = (file: string): boolean => existsSync(path.join(ROOT, file));
const faults = [...checkLinks(files, exists), ...checkRecordNumbers(files), ...checkRecords(files)];
for (const fault of faults) console.log(fault);
console.log(`${files.length} files, ${faults.length} faults in documents`);
process.exitCode = faults.length === 0 ? 0 : 1;
