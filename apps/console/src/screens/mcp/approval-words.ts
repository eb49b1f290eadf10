import type { PendingFax } from '@faxdeck/contract'

/** A key as people know it. */
export const keyInWords = (key: string, name: string | null) =>
  name ?? (key === 'bootstrap' ? 'the bootstrap key' : key)

export const askerOf = ({ asked_by: key, asked_by_name: name }: PendingFax) => keyInWords(key, name)
