import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freshFolder } from '@faxdeck/provider-kit/testing/recording-host'
import { expect, it, onTestFinished } from 'vitest'
import { mainFile } from '../config/write-config.ts'
import { isOurs, startEngine } from './engine-process.ts'
import { mayRunInRealTime } from './real-time.ts'

const isPermitted = await mayRunInRealTime()

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

it.skipIf(!isPermitted)('an Asterisk of ours runs in real time where it may', async () => {
  const directory = await freshFolder()
  await mkdir(join(directory, 'log'))
  const path = join(directory, 'asterisk')
  await writeFile(path, '#!/bin/sh\nexec sleep 60\n')
  await chmod(path, 0o755)
  const { pid, ended } = await startEngine({ path, modules: '', data: '' }, directory, 'mark')
  onTestFinished(async () => {
    process.kill(pid, 'SIGKILL')
    await ended
  })
  // proc(5): the name in parentheses is the second field, the policy the 41st; 2 is SCHED_RR.
  const policy = () => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38]
  }
  await expect.poll(policy).toBe('2')
})
