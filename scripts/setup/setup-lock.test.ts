import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withSetupLock } from './setup-lock.mjs'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faxdeck-lock-'))
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

const locked = (work: () => Promise<void>) => withSetupLock('/checkout', work, { folder, waitMs: 1 })

describe('the setup lock', () => {
  it('lets a second setup begin only after the first has ended, and says why it waits', async () => {
    const reported = vi.spyOn(console, 'log').mockImplementation(() => {})
    const events: string[] = []
    const step = (name: string) => async () => {
      events.push(`${name} begins`)
      await new Promise((resolve) => setTimeout(resolve, 20))
      events.push(`${name} ends`)
    }
    await Promise.all([locked(step('first')), locked(step('second'))])
    expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
    expect(reported).toHaveBeenCalledOnce()
  })

  it('is given back when the work fails', async () => {
    await expect(locked(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full')
    expect(readdirSync(folder)).toEqual([])
  })

  it('is taken over from a process that no longer lives', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    let lockName = ''
    await locked(async () => {
      lockName = readdirSync(folder)[0] ?? ''
    })
    const beyondAnyProcess = 2 ** 30
    writeFileSync(join(folder, lockName), String(beyondAnyProcess))
    await expect(locked(async () => {})).resolves.toBeUndefined()
  })
})
