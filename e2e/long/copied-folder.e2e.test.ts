import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { emulate } from '../../packages/providers/src/phaxio/emulator.ts'
import { prepareGateway, unlimited } from '../harness/gateway-process.ts'
import { pdfFile } from '../harness/paper.ts'
import { waitFor } from '../harness/wait.ts'

const faxes = 20

it('a data folder that is copied with waiting faxes sends none of them, while its original sends each once', async () => {
  const emulator = await emulate({ gatewayUrl: 'http://127.0.0.1:1', stepMs: 40 })
  onTestFinished(() => emulator.close())
  const env = { ...unlimited, ...emulator.env, FAX_DISABLED: 'false', FAX_BACKEND: 'phaxio' }
  // Nobody answers yet: the faxes stay in the queue.
  const gone = { PHAXIO_BASE_URL: 'http://127.0.0.1:9/v2.1' }
  const waiting = await prepareGateway({ env: { ...env, ...gone } })
  const [original, copy] = await Promise.all([prepareGateway({ env }), prepareGateway({ env })])
  for (const gateway of [waiting, original, copy]) onTestFinished(() => gateway.remove())
  await waiting.start()
  const numbers = Array.from({ length: faxes }, (_, n) => `+1555555${1000 + n}`)
  const file = pdfFile('letter.pdf', [['Dear colleague,']])
  await Promise.all(numbers.map((to) => waiting.client.submitFax({ form: { to, file } })))
  await waiting.stop()
  // Renamed: the file is the same, and so is the device.
  rmSync(original.directory, { recursive: true })
  execFileSync('mv', [waiting.directory, original.directory])
  rmSync(copy.directory, { recursive: true })
  execFileSync('cp', ['-a', original.directory, copy.directory])
  await Promise.all([original.start(), copy.start()])
  expect(copy.printed).toContain('The data folder is not where it was')
  await waitFor('the faxes', async () => (emulator.faxes.length >= faxes ? true : undefined), 200)
  await sleep(5000)
  expect(emulator.faxes.length).toBe(faxes)
  expect((await copy.client.getConfig({})).data_folder_from).toContain('faxdeck.db')
  await copy.client.settleDataFolder({ body: { was: 'copied' } })
  await sleep(5000)
  expect(emulator.faxes.length).toBe(faxes)
  expect((await copy.client.getActivity({ query: { range: '24h' } })).attention.length).toBeGreaterThan(0)
}, 300_000)
