import type { ValuesOf } from './row.ts'
import { backendRows } from './rows/backend.ts'
import { featureRows } from './rows/features.ts'
import { limitRows } from './rows/limits.ts'
import { mcpRows } from './rows/mcp.ts'
import { retryRows } from './rows/retry.ts'
import { scanRows } from './rows/scans.ts'
import { securityRows } from './rows/security.ts'
import { serverRows } from './rows/server.ts'
import { signInRows } from './rows/sign-in.ts'
import { storageRows } from './rows/storage.ts'
import { trailRows } from './rows/trail.ts'
import { tunnelRows } from './rows/tunnel.ts'

/**
 * Every setting that belongs to no provider, in the order of the reference.
 * @param providers the providers a person may choose, for the rows that name one
 */
export function coreRows(providers: readonly { value: string; label: string }[]) {
  return [
    ...backendRows(providers),
    ...securityRows,
    ...signInRows,
    ...trailRows,
    ...limitRows,
    ...featureRows,
    ...scanRows,
    ...retryRows,
    ...storageRows,
    ...mcpRows,
    ...tunnelRows,
    ...serverRows,
  ] as const
}

/** The values of the core rows, by payload key. */
export type CoreSettings = ValuesOf<ReturnType<typeof coreRows>>
