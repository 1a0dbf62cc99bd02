/** Loads one platform, and nothing of the other: neither runtime has the other's modules. */

import type { Bundle } from './bundler.ts';
import type { Platform } from './platform.ts';

export async function loadPlatform(name: Platform['name']): Promise<Platform> {
  switch (name) {
    case 'bun':
      return (await import('./bun/bun-platform.ts')).bunPlatform;
    case 'node':
      return (await import('./node/node-platform.ts')).nodePlatform;
  }
}

export async function loadBundler(name: Platform['name']): Promise<Bundle> {
  switch (name) {
    case 'bun':
      return (await import('./bun/bun-bundler.ts')).bunBundle;
    case 'node':
      return (await import('./node/node-bundler.ts')).nodeBundle;
  }
}
