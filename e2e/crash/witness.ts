import { setTimeout as sleep } from 'node:timers/promises'
import { type EmulatedReply, type EmulatedRequest, serve } from '../../packages/provider-kit/src/emulator/index.ts'
import type { Dice } from './dice.ts'
import { keyIn } from './mixed-traffic.ts'

/** A fax that the witness has taken: it will be printed at the far end, whatever answer the sender got. */
interface Taken {
  id: number
  attempt: string
  /** What stands on its page. */
  key: string
  to: string
  at: number
}

/** A provider that takes faxes and counts them, and is as hard on its callers as the network allows. */
export interface Witness {
  env: Readonly<Record<string, string>>
  taken: readonly Taken[]
  /** How its answers went: by what it did to the caller. */
  moods: Readonly<Record<string, number>>
  close: () => Promise<void>
}

interface Nature {
  dice: Dice
  /** So long after it was taken a fax appears in the list. */
  listsAfterMs: number
  /** What a slow answer takes at most. */
  slowestMs: number
}

const deliveredAfterMs = 700

/** It speaks enough of Phaxio's API 2.1 to be sent faxes, asked about them and searched. */
export async function startWitness({ dice, listsAfterMs, slowestMs }: Nature): Promise<Witness> {
  const taken: Taken[] = []
  const moods: Record<string, number> = {}
  const said = (status: number, data: unknown): EmulatedReply => ({
    status,
    body: { success: status < 300, message: status < 300 ? 'Done' : 'Try again later', data },
  })
  const shown = (fax: Taken) => {
    const status = performance.now() - fax.at > deliveredAfterMs ? 'success' : 'inprogress'
    return { id: fax.id, direction: 'sent', num_pages: 1, status, tags: { attempt: fax.attempt }, to_number: fax.to }
  }
  const take = async (request: EmulatedRequest): Promise<EmulatedReply> => {
    const { fields, files } = request.form()
    const fieldOf = (wanted: string) => fields.find(([name]) => name === wanted)?.[1] ?? ''
    const file = files.find(({ name }) => name === 'file')
    const key = keyIn(file?.bytes ?? new Uint8Array()) ?? 'unreadable'
    const mood = moodOf(dice)
    moods[mood] = (moods[mood] ?? 0) + 1
    if (mood === 'drops before taking') return 'cut'
    if (mood === 'busy')
      return { status: 429, headers: { 'retry-after': '1' }, body: { success: false, message: 'Too many' } }
    const fax = {
      id: 1000 + taken.length,
      attempt: fieldOf('tag[attempt]'),
      key,
      to: fieldOf('to'),
      at: performance.now(),
    }
    taken.push(fax)
    if (mood === 'slow') await sleep(dice.between(slowestMs / 2, slowestMs))
    if (mood === 'drops after taking') return 'cut'
    return mood === 'breaks after taking' ? said(500, null) : said(200, { id: fax.id })
  }
  const list = ({ query }: EmulatedRequest): EmulatedReply => {
    const attempt = query.get('tag[attempt]')
    const visible = taken.filter(({ at }) => performance.now() - at > listsAfterMs)
    return said(200, visible.filter((fax) => attempt === null || fax.attempt === attempt).map(shown))
  }
  const server = await serve((request) => {
    if (request.path === '/v2.1/faxes') return request.method === 'POST' ? take(request) : list(request)
    const id = /^\/v2\.1\/faxes\/(\d+)$/.exec(request.path)?.[1]
    const fax = taken.find((each) => String(each.id) === id)
    return fax ? said(200, shown(fax)) : { status: 404, body: { success: false, message: 'Not found' } }
  })
  return {
    env: {
      PHAXIO_API_KEY: 'witness-key',
      PHAXIO_API_SECRET: 'witness-secret',
      PHAXIO_BASE_URL: `${server.origin}/v2.1`,
    },
    taken,
    moods,
    close: server.close,
  }
}

function moodOf(dice: Dice): string {
  const chance = dice.between(0, 1)
  if (chance < 0.06) return 'drops before taking'
  if (chance < 0.12) return 'busy'
  if (chance < 0.2) return 'drops after taking'
  if (chance < 0.28) return 'breaks after taking'
  return chance < 0.5 ? 'slow' : 'answers'
}
