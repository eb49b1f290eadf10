import type { Job } from '@faxdeck/contract'
import { instantOf } from './world.ts'

type Attempt = Job['attempts'][number]
type Call = NonNullable<Attempt['call']>

const share = { answered: 0.1, agreed: 0.22 }

/** What an own telephone switch would have told of a call that began and ended when the attempt did. */
export function fakeCall(job: Job, { started_at, ended_at, kind }: Attempt): Call | null {
  if (!['sip', 'freeswitch'].includes(job.backend) || ended_at === null) return null
  const [begin, end] = [Date.parse(started_at), Date.parse(ended_at)]
  const at = (part: number) => instantOf(begin + (end - begin) * part)
  const edge: Call['steps'] = [{ step: 'dialed', at: at(0) }]
  const last = { step: 'ended', at: at(1) } as const
  if (kind === 'busy') return { cause: 17, sip: '486 Busy Here', steps: [...edge, last] }
  if (kind === 'no_answer') return { cause: 19, steps: [...edge, last] }
  const pages = kind === null ? (job.pages ?? 1) : 0
  const each = (0.95 - share.agreed) / Math.max(1, pages)
  const confirmed = Array.from({ length: pages }, (_, index) => {
    return { step: 'page', page: index + 1, at: at(share.agreed + each * (index + 1)) } as const
  })
  const slows = pages > 2
  return {
    transport: 'audio',
    codec: 'ulaw',
    station: job.to_number,
    ecm: true,
    speeds: [{ bps: 14_400, after_page: 0 }, ...(slows ? [{ bps: 9600, after_page: 2 }] : [])],
    pages,
    cause: 16,
    sip: '200 OK',
    jitter_ms: 2.5,
    lost_packets: slows ? 14 : 0,
    steps: [
      ...edge,
      { step: 'answered', at: at(share.answered) },
      { step: 'agreed', at: at(share.agreed) },
      ...confirmed,
      last,
    ],
  }
}
