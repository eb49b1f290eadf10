import type { Host } from '@faxdeck/provider-kit'
import { ManagedAsterisk, type Wanted } from './managed-asterisk.ts'

interface Shared {
  asterisk: ManagedAsterisk
  users: number
}

const byDirectory = new Map<string, Shared>()

/** The right to an Asterisk, which lives as long as somebody has one. */
export interface Lease {
  asterisk: ManagedAsterisk
  /** Resolves when the Asterisk is with somebody else, or has ended. */
  release: () => Promise<void>
}

/**
 * The one Asterisk of a folder. While settings change, the old line and the new one have it together, and it goes by what
 * the newer one wants.
 */
export function leaseAsterisk({ directory, log }: Pick<Host, 'directory' | 'log'>, wanted: Wanted): Lease {
  const shared = byDirectory.get(directory) ?? { asterisk: new ManagedAsterisk(directory, log), users: 0 }
  byDirectory.set(directory, shared)
  shared.users += 1
  shared.asterisk.want(wanted)
  let isReleased = false
  return {
    asterisk: shared.asterisk,
    release: async () => {
      if (isReleased) return
      isReleased = true
      shared.users -= 1
      if (shared.users > 0) return
      shared.asterisk.want(undefined)
      await shared.asterisk.settled()
    },
  }
}

/** The Asterisk that a line has open in this folder; undefined without one. */
export const openAsterisk = (directory: string): ManagedAsterisk | undefined => {
  const shared = byDirectory.get(directory)
  return shared && shared.users > 0 ? shared.asterisk : undefined
}
