/** A certificate authority and a server's certificate, made for a test with the system's openssl. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from './temp-folder.ts';

export interface TestCertificate {
  /** The authority's, to be trusted. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const DAYS = '2';

/** A certificate for one name. Throws without openssl. */
export function makeTestCertificate(name: string): TestCertificate {
  const folder = makeTempFolder();
  const run = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  try {
    run(
      ...['req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem'],
      ...['-days', DAYS, '-subj', '/CN=test authority'],
    );
    run('req', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', `/CN=${name}`);
    writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${name}\n`);
    run(
      ...['x509', '-req', '-in', 'request.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key'],
      ...['-CAcreateserial', '-out', 'cert.pem', '-days', DAYS, '-extfile', 'names'],
    );
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  } finally {
    removeFolder(folder);
  }
}
