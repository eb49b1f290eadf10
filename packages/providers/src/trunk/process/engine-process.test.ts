import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freshFolder } from '@faxdeck/provider-kit/testing/recording-host'
import { expect, it, onTestFinished } from 'vitest'
import { mainFile } from '../config/write-config.ts'
import { isOurs } from './engine-process.ts'

const wait = 'setInterval(() => undefined, 1000)'

it('an Asterisk of ours is known by its configuration, and by its id where the system hides what it runs with', async () => {
  const [directory, hidden] = [await freshFolder(), await freshFolder()]
  const [ours, other] = [[mainFile(directory)], []].map((more) => spawn(process.execPath, ['-e', wait, ...more]))
  onTestFinished(() => {
    for (const child of [ours, other]) child?.kill('SIGKILL')
  })
  const [pid, otherPid] = [ours?.pid ?? 0, other?.pid ?? 0]
  expect(isOurs(pid, directory, hidden)).toBe(true)
  if (process.platform === 'linux') {
    expect(isOurs(pid, directory)).toBe(true)
    expect(isOurs(otherPid, directory)).toBe(false)
  }
  ours?.kill('SIGKILL')
  if (ours) await once(ours, 'exit')
  expect(isOurs(pid, directory, hidden)).toBe(false)
})
