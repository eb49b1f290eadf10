import type { Finding } from '../provider.ts'

type Kind = 'full' | 'rights' | 'read_only' | 'gone' | 'broken'

const kinds: Readonly<Record<string, Kind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EACCES: 'rights',
  EPERM: 'rights',
  EROFS: 'read_only',
  ENOENT: 'gone',
  ENOTDIR: 'gone',
  EIO: 'broken',
  ESTALE: 'broken',
  ENXIO: 'broken',
}

/** What a full disk is reported as, by every check that meets one: it is one fault. */
export const diskFull = 'The disk is full: free some space, or keep documents for a shorter time.'

const hints: Readonly<Record<Exclude<Kind, 'full'>, (place: string) => string>> = {
  rights: (place) => `${place} cannot be written: make it writable for the user that Faxdeck runs as.`,
  read_only: (place) =>
    `${place} is on a disk that is mounted read-only: mount it for writing, and check the system log for disk errors.`,
  gone: (place) => `${place} is gone: mount its volume again or create the folder, then restart Faxdeck.`,
  broken: (place) => `${place} is on a disk that reports errors: check the system log, and replace the disk.`,
}

/**
 * What a refusal of the file system means, as a finding.
 * @param place what could not be used, beginning a sentence: "The data directory"
 * @param whenFull what to do when its disk is full, where that is not the disk of the documents
 * @returns undefined for every other error
 */
export function fileFault(error: unknown, place: string, whenFull = diskFull): Finding | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  const kind = kinds[error.code]
  // Such messages have the path, and nothing of what was written.
  const hint = kind === 'full' ? whenFull : kind && hints[kind](place)
  return hint === undefined ? undefined : { passed: false, detail: `${error.message}.`, instead: { hint } }
}
