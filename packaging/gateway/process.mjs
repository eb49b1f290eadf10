/** How the gateway's Node is started: as `npm start` does (scripts/start/gateway-process.mjs says why). */
export const nodeFlags = ['--max-semi-space-size=8', '--heap-growing-percent=50']
export const nodeEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }
