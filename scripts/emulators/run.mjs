import { destinations } from '../../packages/provider-kit/src/emulator/index.ts'
import { startEmulators } from './start-emulators.mjs'

const gatewayUrl = (process.env.PUBLIC_API_URL || 'http://127.0.0.1:8080').replace(/\/+$/, '')
const running = await startEmulators({ gatewayUrl, stepMs: 1500 })

console.log(
  `Stand-ins of ${running.length} providers. Start Faxdeck with the lines of one of them, and without FAX_DISABLED:`,
)
for (const { provider, emulator } of running) {
  const env = { FAX_BACKEND: provider.id, FAX_DISABLED: 'false', INBOUND_ENABLED: 'true', PUBLIC_API_URL: gatewayUrl }
  console.log(`\n# ${provider.name}`)
  for (const [name, value] of Object.entries({ ...env, ...emulator.env })) console.log(`${name}=${value}`)
}
console.log('\nWhat a number does:')
for (const [digits, what] of destinations) console.log(`  +1555555${digits}  ${what}`)
console.log('\nCtrl-C ends them.')

const stop = async () => {
  await Promise.all(running.map(({ emulator }) => emulator.close()))
  process.exit(0)
}
process.once('SIGINT', stop).once('SIGTERM', stop)
