import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { freshFolder, RecordingHost } from '@faxdeck/provider-kit/testing/recording-host'
import { expect, it, onTestFinished } from 'vitest'
import { configOf, mainFile, marksOf } from '../config/write-config.ts'
import { trunk } from '../index.ts'
import { planOf } from '../plan.ts'
import { madeManager } from '../testing/made-manager.ts'
import { writeProgram } from '../testing/made-program.ts'
import { ManagedAsterisk } from './managed-asterisk.ts'
import { drawAccess, placesOf } from './places.ts'
import { type AsteriskProgram, findAsterisk } from './program.ts'

const defaults = Object.fromEntries(trunk.settings.map((row) => [row.key, row.default]))
const plan = planOf({ ...defaults, trunk_host: 'sip.carrier.example', trunk_user: 'u', trunk_password: 'p' })

it('an Asterisk of an earlier gateway that answers late is taken over, and its calls go on', async () => {
  const folder = await freshFolder()
  const program = findAsterisk(await writeProgram(folder), plan) as AsteriskProgram
  const places = placesOf(folder, program)
  const { directory } = places
  const access = await drawAccess(directory)
  const { fixed } = marksOf(configOf(plan, folder, places, access))
  await mkdir(dirname(mainFile(directory)), { recursive: true })
  const running = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', mainFile(directory)])
  onTestFinished(() => void running.kill('SIGKILL'))
  await writeFile(join(directory, 'process.json'), JSON.stringify({ pid: running.pid, fixed }))
  const commands: string[] = []
  const onCommand = (command: string) => {
    commands.push(command)
    if (command === 'core stop gracefully') running.kill('SIGKILL')
  }
  await madeManager(access.port, onCommand, 2)

  const asterisk = new ManagedAsterisk(folder, new RecordingHost(folder).log)
  asterisk.want({ plan, program })
  await asterisk.access(AbortSignal.timeout(30_000))
  expect(running.signalCode).toBeNull()
  expect(commands).toContain('core abort shutdown')
  asterisk.want(undefined)
  await asterisk.settled()
  expect(asterisk.phase).toBe('stopped')
})
