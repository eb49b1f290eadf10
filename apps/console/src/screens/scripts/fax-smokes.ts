import { readInbound, readInboundPdf, readJob, sendFax, simulateInbound } from './queries.ts'
import { askUntil, type Smoke, SmokeProblem, testFile, testNumber } from './smoke.ts'

/** Sends two lines of text and waits for what becomes of them. */
export const sendSmoke: Smoke = async (say) => {
  const { id, status, pages } = await sendFax(testNumber, testFile())
  say(`ok    fax ${id.slice(0, 8)} accepted, ${pages ?? '?'} page, ${status}`)
  let known: string = status
  const job = await askUntil(
    async () => {
      const read = await readJob(id)
      if (read.status !== known) say(`      ${read.status}${read.error ? `: ${read.error}` : ''}`)
      known = read.status
      return read
    },
    (read) => ['SUCCESS', 'FAILED'].includes(read.status),
  )
  if (job.status === 'FAILED') throw new SmokeProblem(job.error ?? 'The fax failed.')
  if (job.status !== 'SUCCESS')
    throw new SmokeProblem(`The fax is still ${job.status.replace('_', ' ')}. Follow it on Jobs.`)
  say(`ok    delivered, ${job.pages_confirmed ?? 0} of ${job.pages} confirmed`)
}

const pdfMark = '%PDF-'

/** Lets a made fax arrive by the real way, and fetches its document. */
export const inboundSmoke: Smoke = async (say) => {
  const { id } = await simulateInbound()
  say(`ok    fax ${id.slice(0, 8)} announced`)
  const fax = await askUntil(
    () => readInbound(id),
    (read) => read.status !== 'waiting',
  )
  if (fax.status !== 'received') throw new SmokeProblem(fax.error ?? `The fax is ${fax.status}.`)
  say(`ok    received, ${fax.pages ?? 0} page, ${fax.size_bytes ?? 0} bytes, marked as a test`)
  const document = await readInboundPdf(id)
  const start = await document.slice(0, pdfMark.length).text()
  if (start !== pdfMark) throw new SmokeProblem('Its document is not a PDF.')
  say(`ok    its document is a PDF of ${document.size} bytes`)
}
