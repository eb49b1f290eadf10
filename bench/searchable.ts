// Processor time of a one-page PDF from its submission until its words are found: where it was sent, and at the far end
// of the test line, whose pages are pictures and have to be recognized.
import { readFileSync } from 'node:fs'
import { startGateway, unlimited } from '../e2e/harness/gateway-process.ts'
import { waitFor } from '../e2e/harness/wait.ts'
import { pdfOf, textAt } from '../packages/documents/src/testing/pdf-samples.ts'
import { printFigures } from './figures.ts'

const warmUp = 16
const seconds = 900
/** Words that the recognizer knows, one for each letter. */
const nouns =
  'apple bridge candle desert engine forest garden hammer island jacket kettle ladder market needle orange pencil rabbit saddle table umbrella village window yellow anchor basket castle dragon eagle feather guitar harvest insect jungle kitchen lantern mountain napkin oyster pepper quarter'.split(
    ' ',
  )

/** Milliseconds of a processor that a process and its threads have taken (proc(5), in hundredths of a second). */
function spentBy(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** A letter of so many lines, with a word that no other one has. */
const letter = (lines: number, word: string) =>
  pdfOf([
    {
      content: Array.from({ length: lines }, (_, line) =>
        textAt(72, 720 - 16 * line, 11, `${line === 0 ? word : 'Line'} of page 1: the quick brown fox 0123456789`),
      ).join('\n'),
    },
  ])

/** Milliseconds of a processor for each of `count` letters. */
async function measure(lines: number, count: number, inbox: boolean): Promise<number> {
  const env = { ...unlimited, TESTLINE_SECONDS: '0', INBOUND_ENABLED: String(inbox) }
  const gateway = await startGateway({ env })
  const words = nouns.slice(0, warmUp + count)
  const sendAll = async (some: readonly string[]) => {
    for (const word of some) {
      const form = new FormData()
      form.set('to', `+1555${String(words.indexOf(word)).padStart(7, '0')}`)
      form.set('allow_unlikely_number', 'true')
      form.set('file', new Blob([new Uint8Array(letter(lines, word))], { type: 'application/pdf' }), 'letter.pdf')
      const answer = await fetch(`${gateway.url}/fax`, {
        method: 'POST',
        headers: { 'x-api-key': gateway.key },
        body: form,
      })
      if (answer.status !== 202) throw new Error(`A fax was refused: ${await answer.text()}`)
    }
    // They are read one after the other: each question costs the gateway something too.
    for (const word of some.toReversed()) {
      await waitFor(
        `"${word}"`,
        async () => {
          const { faxes } = await gateway.client.searchFaxes({ query: { q: word, limit: 5 } })
          return faxes.filter(({ page }) => page > 0).length >= (inbox ? 2 : 1) ? true : undefined
        },
        seconds,
      )
    }
  }
  try {
    await sendAll(words.slice(0, warmUp))
    const before = spentBy(gateway.pid)
    await sendAll(words.slice(warmUp))
    return (spentBy(gateway.pid) - before) / count
  } finally {
    await gateway.remove()
  }
}

const unit = 'ms'
printFigures([
  {
    what: 'a letter of 40 lines, found where it was sent',
    value: await measure(40, 30, false),
    unit,
    goal: { atMost: 40 },
  },
  { what: 'the same, found in the inbox of the far end', value: await measure(40, 10, true), unit },
  {
    what: 'a note of 4 lines, found where it was sent',
    value: await measure(4, 30, false),
    unit,
    goal: { atMost: 40 },
  },
  { what: 'the same, found in the inbox of the far end', value: await measure(4, 20, true), unit },
])
