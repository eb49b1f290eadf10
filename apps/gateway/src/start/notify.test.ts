import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { notifier } from './notify.ts'

/** A folder for PATH whose systemd-notify writes down what it is given. */
function folder(does = 'echo "$NOTIFY_SOCKET $*" >> "$0.said"') {
  const made = mkdtempSync(join(tmpdir(), 'faxdeck-notify-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  writeFileSync(join(made, 'systemd-notify'), `#!/bin/sh\n${does}\n`, { mode: 0o755 })
  return made
}

it('tells systemd, and leaves its socket to no other program', async () => {
  const PATH = folder()
  const env = { PATH, NOTIFY_SOCKET: '/run/systemd/notify' }
  const notify = notifier(env, { error: vi.fn() })
  expect(env).toEqual({ PATH })
  notify('READY=1', 'STATUS=Serving here')
  await expect
    .poll(() => readFileSync(join(PATH, 'systemd-notify.said'), 'utf8'))
    .toBe('/run/systemd/notify READY=1 STATUS=Serving here\n')
})

it('says what to do where systemd cannot be told', async () => {
  const error = vi.fn()
  notifier({ PATH: folder('exit 1'), NOTIFY_SOCKET: '/run/systemd/notify' }, { error })('READY=1')
  await expect.poll(() => error.mock.calls.length).toBe(1)
  expect(error.mock.calls[0]?.[1]).toContain('Type=exec')
})

it('runs nothing without a supervisor', async () => {
  const PATH = folder()
  notifier({ PATH }, { error: vi.fn() })('READY=1')
  await new Promise(setImmediate)
  expect(() => readFileSync(join(PATH, 'systemd-notify.said'))).toThrow('ENOENT')
})
