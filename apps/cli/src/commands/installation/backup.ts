import { resolve } from 'node:path'
import { command, option } from '../../command.ts'
import { usageFault } from '../../fault.ts'
import type { Output } from '../../terminal/output.ts'
import { withUpkeep } from './upkeep.ts'

const backup = command({
  name: 'backup',
  takes: '<folder>',
  summary: 'Copy database, documents, keys and settings, even while the gateway runs',
  about:
    'Works on the data directory of this machine. The copy holds the master key and health information: keep it as safe as the original. Documents in S3, a PostgreSQL database and settings outside of the data directory are not included. The dashboard, faxdeck doctor and /metrics show when the last backup was made.',
  examples: ['faxdeck backup ../faxdeck-2026-11-21'],
  async run({ words: [folder = ''] }, { out, dataDirectory: directory, env }) {
    const target = resolve(folder)
    const onProgress = (files: number) => out.progress(`${files} files…`)
    const made = await withUpkeep(({ backUp }) => backUp({ directory, target, env, now: new Date(), onProgress }))
    const { made_at, files, left_out } = made
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    const complete = left_out.length === 0
    const answer = { folder: target, made_at, files: files.length, bytes, complete, left_out }
    out.answer(answer, () => out.line(`${files.length} files (${sizeOf(bytes)}) in ${target}.`))
    if (!complete) out.note(withoutBucket)
    if (!made.isNoted) {
      out.note(
        'The backup could not be noted in the data directory, so the gateway does not know of it. Run this as the user of the gateway.',
      )
    }
    if (!files.some(({ path }) => path === 'master-key')) {
      out.note('The master key is not in the data directory: keep FAXDECK_MASTER_KEY, or saved secrets cannot be read.')
    }
  },
})

const withoutBucket =
  'Documents in S3 are not in this backup. Back up the bucket with its own tools, such as versioning or replication.'

const sizeOf = (bytes: number) => (bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`)

const restoring = command({
  name: 'restore',
  takes: '<folder>',
  summary: 'Restore a data directory from a backup',
  about:
    'Stop the gateway first. Every file is compared with its checksum. A data directory that is not empty is refused; it may be a mounted disk. Root restores for the user who owns the data directory. If it is interrupted, run it again or start the gateway. Faxes that were waiting or under way when the backup was made may have been sent since: they are held until you release or cancel them.',
  examples: ['faxdeck restore ../faxdeck-2026-11-21 --data ./faxdata'],
  async run({ words: [folder = ''] }, { out, dataDirectory: directory }) {
    const onProgress = (files: number, of: number) => out.progress(`${files} of ${of} files…`)
    const { backup: restored, held } = await withUpkeep(({ restore }) =>
      restore({ source: resolve(folder), directory, now: () => new Date(), onProgress }),
    )
    const { made_at, files, left_out } = restored
    const isFinished = held === undefined
    const answer = { data: directory, made_at, files, left_out, held: held ?? null }
    out.answer(answer, () => out.line(`${files} files in ${directory}, as of ${made_at}.`))
    if (isFinished) out.note('An interrupted restore of this backup was finished. Nothing was copied again.')
    if (left_out.length > 0) out.note(withoutBucket)
    noteHeld(out, held ?? 0)
  },
})

const holding = command({
  name: 'hold',
  summary: 'Hold every fax that has not ended, after a restore by other means',
  about:
    'For a database that was put back with pg_restore, from a snapshot or by copying files: run it before the gateway starts. faxdeck restore does it by itself. Nothing is sent for a held fax until you release it.',
  options: {
    'as-of': option(
      '<time>',
      'When the copy was made, such as 2026-11-21T18:00:00Z (default: the time of the last recorded event).',
    ),
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
