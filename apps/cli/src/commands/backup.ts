import { resolve } from 'node:path'
import { command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { told } from '../upkeep.ts'

const backup = command({
  name: 'backup',
  takes: '<folder>',
  count: [1, 1],
  summary: 'Copy database, documents, keys and settings, also while the gateway runs',
  about:
    'Works on the data directory of this machine. The copy holds the master key and health information: keep it as safe as the original. Documents in S3 and a PostgreSQL database are not part of it.',
  options: {},
  examples: ['faxdeck backup ../faxdeck-2026-11-21'],
  async run({ words: [folder = ''] }, { out, dataDirectory: directory, env }) {
    const target = resolve(folder)
    const onProgress = (files: number) => out.progress(`${files} files…`)
    const made = await told(({ backUp }) => backUp({ directory, target, env, now: new Date(), onProgress }))
    const answer = { folder: target, made_at: made.made_at, files: made.files.length }
    out.answer(answer, () => out.line(`${made.files.length} files in ${target}.`))
    if (!made.files.some(({ path }) => path === 'master-key')) {
      out.note('The master key is not in the data directory: keep FAXDECK_MASTER_KEY, or saved secrets cannot be read.')
    }
    return exitCodes.done
  },
})

const restoring = command({
  name: 'restore',
  takes: '<folder>',
  count: [1, 1],
  summary: 'Make a data directory from a backup',
  about: 'Every file is compared with its checksum. A data directory that is not empty is refused.',
  options: {},
  examples: ['faxdeck restore ../faxdeck-2026-11-21 --data ./faxdata'],
  async run({ words: [folder = ''] }, { out, dataDirectory: directory }) {
    const onProgress = (files: number, of: number) => out.progress(`${files} of ${of} files…`)
    const made = await told(({ restore }) => restore({ source: resolve(folder), directory, onProgress }))
    const answer = { data: directory, made_at: made.made_at, files: made.files.length }
    out.answer(answer, () => out.line(`${made.files.length} files in ${directory}, as of ${made.made_at}.`))
    return exitCodes.done
  },
})

export const backups = [backup, restoring]
