import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coreRows, type Values } from '@faxdeck/settings'
import { describe, expect, it, onTestFinished } from 'vitest'
import { assertStillGood } from '../../access/actors/still-good.ts'
import type { Database } from '../db/database.ts'
import { gather, type Gatherer } from '../db/transact.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { prepareDataDirectory } from './data-directory.ts'
import { LiveSettings } from './live-settings.ts'

const key = Buffer.alloc(32, 1)
const rows = coreRows([{ value: 'phaxio', label: 'Phaxio' }])
const nothing = async () => undefined

async function openOn(database: Database, environment: Values = {}): Promise<LiveSettings> {
  const settings = new LiveSettings({
    rows,
    database,
    environment: () => ({
      values: environment,
      problems: [],
      fixedByProcess: new Set(),
      setByFile: new Set(),
      operatorLines: [],
      unknown: [],
    }),
    assertStillGood,
    masterKey: key,
    now: () => new Date(0),
    log: { warn: () => undefined, error: () => undefined },
  })
  await settings.reload()
  return settings
}

describe('LiveSettings', () => {
  onEachDatabase((open, another) => {
    it('notices what another process saves and clears, even when no clock moves', async () => {
      const database = await open()
      const here = await openOn(database)
      const there = await openOn(await another(database))
      onTestFinished(there.follow())
      await here.save({ inbound_list_rpm: 77, s3_kms_key_id: 'a-key' }, 'bootstrap', nothing)
      await expect.poll(() => there.current().inbound_list_rpm, { timeout: 5000 }).toBe(77)
      expect(there.current().s3_kms_key_id).toBe('a-key')
      await here.save({ inbound_list_rpm: null }, 'bootstrap', nothing)
      await expect.poll(() => there.current().inbound_list_rpm, { timeout: 5000 }).toBe(30)
    })

    it('saves nothing when what goes with it fails', async () => {
      const settings = await openOn(await open())
      const refuse = async () => Promise.reject(new Error('no audit, no change'))
      await expect(settings.save({ inbound_list_rpm: 77 }, 'bootstrap', refuse)).rejects.toThrow('no audit')
      await settings.reload()
      expect(settings.current().inbound_list_rpm).toBe(30)
    })

    it('leaves faxdeck.env as it was when the database keeps nothing', async () => {
      const directory = await mkdtemp(join(tmpdir(), 'faxdeck-settings-'))
      onTestFinished(() => rm(directory, { recursive: true, force: true }))
      prepareDataDirectory(directory)
      const path = join(directory, 'faxdeck.env')
      await writeFile(path, '# Ours\nOTHER=1\nLOG_LEVEL=warn\n')
      const settings = await openOn(await open(), { fax_data_dir: directory })
      const late: Gatherer<string> = {
        turn: 'audit',
        write: async () => Promise.reject(new Error('The disk is full.')),
      }
      const save = settings.save({ port: 9090 }, 'bootstrap', async (tx) => gather(tx, late, ['x']))
      await expect(save).rejects.toThrow('The disk is full.')
      const after = await readFile(path, 'utf8')
      expect(after).toContain('OTHER=1')
      expect(after).not.toContain('9090')
      await settings.save({ port: 9090 }, 'bootstrap', nothing)
      expect(await readFile(path, 'utf8')).toContain('9090')
    })

    it('notifies its listeners, in turn, of the values that changed', async () => {
      const settings = await openOn(await open(), { inbound_get_rpm: 10 })
      const received: (readonly string[])[] = []
      settings.onChange(() => {
        throw new Error('this one fails')
      })
      const stop = settings.onChange(({ keys }) => void received.push(keys))
      await settings.save({ inbound_list_rpm: 77, inbound_get_rpm: 10 }, 'bootstrap', nothing)
      stop()
      await settings.save({ inbound_list_rpm: 78 }, 'bootstrap', nothing)
      expect(received).toEqual([['inbound_list_rpm']])
    })
  })
})
