import { hash } from 'node:crypto'
import type { LostPlace } from '../page-notes.ts'
import type { Limits } from '../worker/limits.ts'
import { onPage } from './pictures.ts'
import type { Jpeg } from './pictures.ts'

/** Finds damaged JPEGs in the pages of one document; one that is on every page is read once. */
export function damagedJpegs(limits: Limits) {
  const verdicts = new Map<string, Promise<boolean>>()
  return async (jpegs: readonly Jpeg[], page: { width: number; height: number }): Promise<LostPlace[]> => {
    const found: LostPlace[] = []
    for (const { data, place } of jpegs) {
      const seen = onPage(place, page)
      if (!seen) continue
      const name = hash('sha256', data)
      const verdict = verdicts.get(name) ?? isDamaged(data, limits)
      verdicts.set(name, verdict)
      if (await verdict) found.push({ ...seen, isDamaged: true })
    }
    return found
  }
}

async function isDamaged(data: Uint8Array, limits: Limits): Promise<boolean> {
  const { isDamagedJpeg } = await import('../images/image-read.ts')
  return isDamagedJpeg(data, limits)
}
