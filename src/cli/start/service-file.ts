/** The file by which the commands find the service that runs on a data folder: `service.json` in it. */

import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../runtime/ports.ts';
import { replaceFile } from '../../runtime/whole-file.ts';
import { localUrl } from './local-url.ts';

/** The content of the file. It exists while the service runs, and after a kill. */
export interface ServiceFile {
  /** The process from its start to its end, as `/version` says it: `nod_…`. */
  readonly node: string;
  readonly pid: number;
  /** Where it listens, for programs on this machine; without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** What its answers' URLs begin with. */
  readonly publicUrl: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** A service on this machine answers at once; one that does not is not there. */
const ANSWER_MS_MAX = 2_000;

function serviceFile(dataDir: string): string {
  return path.join(dataDir, 'service.json');
}

export interface Announced {
  /** The service is about to stop. Leaves the file of a later process alone. */
  withdraw(): void;
}

/** A service runs without the file, too: then the commands need `--url`, and the log says why. */
export function announceService(
  { dataDir, host }: Pick<Config, 'dataDir' | 'host'>,
  service: Pick<ServiceFile, 'node' | 'port' | 'publicUrl'>,
  { clock, log }: { readonly clock: Pick<Clock, 'now'>; readonly log: Log },
): Announced {
  const file = serviceFile(dataDir);
  const { node, port, publicUrl } = service;
  const written: ServiceFile = {
    node,
    pid: process.pid,
    url: localUrl(host, port),
    port,
    publicUrl,
    startedAt: new Date(clock.now()).toISOString(),
  };
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (err) {
      log.warn({ err, file }, 'the file by which commands find this service cannot be written');
    }
  };
  attempt(() => replaceFile(file, `${JSON.stringify(written, null, 2)}\n`));
  return {
    withdraw: () =>
      attempt(() => {
        if (readServiceFile(dataDir)?.node === node) rmSync(file, { force: true });
      }),
  };
}

/** Null if there is none, or only a partial one. Throws file system errors. */
function readServiceFile(dataDir: string): ServiceFile | null {
  try {
    return JSON.parse(readFileSync(serviceFile(dataDir), 'utf8')) as ServiceFile;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * The service that runs on a data folder; null when none does. After a kill the file still exists,
 * and another program may have the port: so the service is asked, without a key, whether it is the
 * right one.
 */
export async function findService(dataDir: string): Promise<ServiceFile | null> {
  const written = readServiceFile(dataDir);
  if (written === null) return null;
  const answer = await fetch(`${written.url}/version`, {
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    redirect: 'error',
  })
    .then((response) => response.json() as Promise<{ readonly node?: unknown }>)
    .catch(() => null);
  return answer?.node === written.node ? written : null;
}
