import { resolve } from 'node:path'
import { command } from '../../command.ts'
import { usageFault } from '../../fault.ts'
import type { Output } from '../../terminal/output.ts'
import { withUpkeep } from './upkeep.ts'

const backup = command({
  name: 'backup',
  takes: '<folder>',
  summary: 'Copy database, documents, keys and settings, even while the gateway runs',
  about:
    'Works on the data directory of this machine. The copy holds the master key and health information: keep it as safe as the original. Documents in S3 and a PostgreSQL database are not included.',
  examples: ['faxdeck backup ../faxdeck-2026-11-21'],
  async run({ words: [folder = ''] }, { out, dataDirectory: directory, env }) {
    const target = resolve(folder)
    const onProgress = (files: number) => out.progress(`${files} files…`)
    const made = await withUpkeep(({ backUp }) => backUp({ directory, target, env, now: new Date(), onProgress }))
    const answer = { folder: target, made_at: made.made_at, files: made.files.length }
    out.answer(answer, () => out.line(`${made.files.length} files in ${target}.`))
    if (!made.files.some(({ path }) => path === 'master-key')) {
      out.note('The master key is not in the data directory: keep FAXDECK_MASTER_KEY, or saved secrets cannot be read.')
    }
  },
})

const restoring = command({
  name: 'restore',
  takes: '<folder>',
  summary: 'Restore a data directory from a backup',
  about:
    'Every file is compared with its checksum. A data directory that is not empty is refused. Faxes that were waiting or under way when the backup was made may have been sent since: they are held until you release or cancel them.',
  examples: ['faxdeck restore ../faxdeck-2026-11-21 --data ./faxdata'],
  async run({ words: [folder = ''] }, { out, dataDirectory: directory }) {
    const onProgress = (files: number, of: number) => out.progress(`${files} of ${of} files…`)
    const { made, held } = await withUpkeep(({ restore }) =>
      restore({ source: resolve(folder), directory, now: () => new Date(), onProgress }),
    )
    const answer = { data: directory, made_at: made.made_at, files: made.files.length, held }
    out.answer(answer, () => out.line(`${made.files.length} files in ${directory}, as of ${made.made_at}.`))
    noteHeld(out, held)
  },
})

const holding = command({
  name: 'hold',
  summary: 'Hold every fax that has not ended, after a restore by other means',
  about:
    'For a database that was put back with pg_restore, from a snapshot or by copying files: run it before the gateway starts. faxdeck restore does it by itself. Nothing is sent for a held fax until you release it.',
  options: {
    'as-of': {
      type: 'string',
      value: '<time>',
      help: 'When the copy was made, such as 2026-11-21T18:00:00Z (default: the time of the last recorded event).',
    },
  },
  examples: ['faxdeck hold', 'faxdeck hold --as-of 2026-11-21T18:00:00Z'],
  async run({ options }, { out, dataDirectory: directory, env }) {
    const given = options['as-of']
    const asOf = given === undefined ? undefined : new Date(given)
    if (asOf && Number.isNaN(asOf.getTime())) throw usageFault(`"${given}" is not a time. Write 2026-11-21T18:00:00Z.`)
    const done = await withUpkeep(({ holdFaxes }) => holdFaxes({ directory, env, asOf, now: () => new Date() }))
    const as_of = done.asOf.toISOString()
    out.answer({ held: done.held, as_of }, () => out.line(`${countOf(done.held)} held, as of ${as_of}.`))
    noteHeld(out, done.held)
  },
})

const countOf = (faxes: number) => (faxes === 1 ? '1 fax is' : `${faxes} faxes are`)

function noteHeld(out: Output, held: number): void {
  if (held === 0) return
  out.note(
    `${countOf(held)} held: nothing more is sent for them until you release them. Start the gateway, then: faxdeck jobs --status held`,
  )
}

export const backups = [backup, restoring, holding]
