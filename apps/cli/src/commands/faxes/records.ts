import { access } from 'node:fs/promises'
import { command, option } from '../../command.ts'
import { Fault, oneOf, usageFault } from '../../fault.ts'
import { forceOption, writeWhole } from '../../terminal/write-file.ts'

const kinds = ['number', 'person'] as const

/** @throws {Fault} before anything is recorded: who asks gets the records of this very call */
async function assertFree(path: string): Promise<void> {
  const isTaken = await access(path).then(
    () => true,
    () => false,
  )
  if (isTaken) throw new Fault(`${path} already exists. Choose another name, or add --force to overwrite it.`)
}

/** Writes to a file as it comes, and says how much has come. */
const writing = (write: (chunk: Uint8Array) => Promise<unknown>, say: (bytes: number) => void) => {
  let bytes = 0
  const sink = new WritableStream<Uint8Array>({
    write: async (chunk) => {
      await write(chunk)
      bytes += chunk.length
      say(bytes)
    },
  })
  return { sink, written: () => bytes }
}

export const records = command({
  name: 'records export',
  takes: '<kind> <subject> [<file>]',
  summary: 'Save everything about one number or one person as a zip',
  about:
    'The kind is number or person; the subject is the number, or the id of the person. The zip has faxes, documents, requests, the audit trail and a manifest. It is not encrypted, and only this user can read it. Requires an administrator.',
  options: {
    reason: option('<text>', 'Why, for the record.'),
    force: forceOption,
  },
  examples: ['faxdeck records export number +15555550123 case-117.zip --reason "Case 2026-117"'],
  async run({ words: [given = '', subject = '', path = 'records.zip'], options }, { client, out }) {
    const kind = oneOf(kinds, given, 'The kind is number or person.')
    const reason = options.reason?.trim()
    if (!reason) throw usageFault('Specify --reason.')
    const replace = options.force === true
    if (!replace) await assertFree(path)
    // Without a signal of its own a call may take two minutes; a break ends this one, and leaves no file.
    const stop = new AbortController()
    const onBreak = () => stop.abort(new Fault('Stopped. Nothing was saved.'))
    process.once('SIGINT', onBreak)
    let bytes = 0
    try {
      const save = async (write: (chunk: Uint8Array) => Promise<unknown>) => {
        const { sink, written } = writing(write, (count) => out.progress(`${Math.round(count / 1024)} KB…`))
        await client.exportRecords({ body: { kind, subject, reason } }, { into: sink, signal: stop.signal })
        bytes = written()
      }
      await writeWhole(path, (file) => save((chunk) => file.writeFile(chunk)), replace)
    } finally {
      process.removeListener('SIGINT', onBreak)
    }
    out.answer({ path, bytes }, () => out.line(path))
  },
})
