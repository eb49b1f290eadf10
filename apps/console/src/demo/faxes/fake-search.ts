import type { FoundFax, PageMarks, PageTexts } from '@faxdeck/contract'
import type { FakeCalls } from '../fake-calls.ts'
import { addEvent } from '../records/fake-logs.ts'
import type { World } from '../world.ts'
import { whoIsHere } from './fake-jobs.ts'

/** The pages of the demo are drawn, not written: these words stand where their lines are. */
const referral: readonly string[] = [
  'Dear Dr. Miller',
  'please find the referral',
  'of Katharina Schmidt',
  'to the cardiology clinic',
  'Kind regards',
]
const linesOf = ({ texts }: World, id: string) => texts?.get(id) ?? referral
const textOf = (world: World, id: string) => linesOf(world, id).join(' ')
const words = (typed: string) => typed.toLowerCase().split(/\s+/).filter(Boolean)
const fits = (said: string, typed: string) => words(typed).every((word) => said.toLowerCase().includes(word))

/** Whether a fax of the demo holds what is typed. */
export const isFound = (world: World, typed: string, id: string, ...facts: (string | null)[]) =>
  fits([textOf(world, id), ...facts].join(' '), typed)

function marksOf(lines: readonly string[], typed: string): PageMarks[] {
  const places = lines.flatMap((line, row) => {
    const at = line.toLowerCase().split(' ')
    return at.flatMap((word, column) =>
      words(typed).some((each) => word.startsWith(each))
        ? [{ left: 0.1 + 0.13 * column, top: (39 + 12 * row) / 264, width: 0.12, height: 0.012 }]
        : [],
    )
  })
  return places.length === 0 ? [] : [{ page: 1, places }]
}

export function searchCalls(world: World) {
  const textsOf = (id: string): PageTexts => {
    addEvent(world, 'document_viewed', { job_id: id, ...whoIsHere(world) })
    return { state: 'read', pages: [{ page: 1, text: linesOf(world, id).join('\n') }] }
  }
  return {
    searchFaxes: ({ query: { q, limit } }) => {
      const place = (id: string) => {
        const text = textOf(world, id)
        return fits(text, q) ? { page: 1, excerpt: `… ${text.slice(16, 90)} …` } : { page: 0, excerpt: null }
      }
      const sent = world.jobs
        .map(({ job }) => job)
        .filter((job) => job.id.startsWith(q) || isFound(world, q, job.id, job.to_number, job.file_name))
        .map(({ id, to_number: number, file_name: name, created_at: at }): FoundFax => {
          return { direction: 'sent', id, number, name, ...place(id), at }
        })
      const received = world.inbound
        .filter((fax) => fax.id.startsWith(q) || isFound(world, q, fax.id, fax.fr, fax.to))
        .map(({ id, fr: number, received_at: at }): FoundFax => {
          return { direction: 'received', id, number, name: null, ...place(id), at }
        })
      const faxes = [...sent, ...received].toSorted((a, b) => (a.at < b.at ? 1 : -1))
      return { faxes: faxes.slice(0, Number(limit ?? 10)) }
    },
    getJobMarks: ({ params, query }) => ({ pages: marksOf(linesOf(world, params.id), query.q) }),
    getJobText: ({ params }) => textsOf(params.id),
    getInboundText: ({ params }) => textsOf(params.id),
    getInboundMarks: ({ params, query }) => ({ pages: marksOf(linesOf(world, params.id), query.q) }),
  } satisfies FakeCalls
}
