import { createInterface } from 'node:readline'
import { pdfOf } from '../../e2e/harness/paper.ts'
import { destinations } from '../../packages/provider-kit/src/emulator/index.ts'
import { startEmulators } from './start-emulators.mjs'

const gatewayUrl = (process.env.PUBLIC_API_URL || 'http://127.0.0.1:8080').replace(/\/+$/, '')
const running = await startEmulators({ gatewayUrl, stepMs: 1500 })

console.log(
  `Emulators of ${running.length} providers. Start Faxdeck with the lines of one of them, and without FAX_DISABLED:`,
)
for (const { provider, emulator } of running) {
  const env = { FAX_BACKEND: provider.id, FAX_DISABLED: 'false', INBOUND_ENABLED: 'true', PUBLIC_API_URL: gatewayUrl }
  console.log(`\n# ${provider.name}`)
  for (const [name, value] of Object.entries({ ...env, ...emulator.env })) console.log(`${name}=${value}`)
}
console.log('\nWhat a number does:')
for (const [digits, what] of destinations) console.log(`  +1555555${digits}  ${what}`)
console.log('\nType the name of a provider, as in FAX_BACKEND, and it receives a fax. Ctrl-C ends them.')

const page = ['This fax came from an emulator.', 'Nobody sent it, and it holds no patient data.']
const receive = async (id) => {
  const { emulator } = running.find(({ provider }) => provider.id === id) ?? {}
  if (!emulator) return console.log(`There is no emulator called "${id}".`)
  const fax = { from: '+15555550001', to: '+15555550000', pages: 1, pdf: pdfOf([page]) }
  const received = await emulator.receive(fax).catch((error) => error.message)
  console.log(`${id}: ${received}`)
}
createInterface({ input: process.stdin }).on('line', (line) => line.trim() && receive(line.trim()))

const stop = async () => {
  await Promise.all(running.map(({ emulator }) => emulator.close()))
  process.exit(0)
}
process.once('SIGINT', stop).once('SIGTERM', stop)
