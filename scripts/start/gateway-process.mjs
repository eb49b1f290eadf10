import { join } from 'node:path'
import { gatewayBundle, isBuilt } from '../setup/builds.mjs'

/**
 * How the gateway's process is started. Compiled code is kept between starts, which halves the time to start and
 * saves the memory of compiling; a small nursery and few allocator arenas keep the idle process under 150 MB. Work
 * leaves garbage that outlives the nursery: it is collected when it is half as much as what is in use, not when the
 * heap has grown fourfold, which a process that is busy once would hardly give back. What PDFium calls through tables
 * is written out in its place, which draws text in three quarters of the time (decision 88).
 * @param {string} root the checkout
 * @returns {{ main: string, flags: string[], env: Record<string, string> }} the bundle of these very sources, or else the sources
 */
export function gatewayProcess(root) {
  return {
    main: join(root, isBuilt(root, gatewayBundle) ? 'apps/gateway/dist/main.js' : 'apps/gateway/src/main.ts'),
    flags: ['--max-semi-space-size=8', '--heap-growing-percent=50'],
    env: {
      NODE_COMPILE_CACHE: join(root, '.cache/node'),
      MALLOC_ARENA_MAX: '2',
      MALLOC_TRIM_THRESHOLD_: '131072',
    },
  }
}
