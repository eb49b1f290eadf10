import { resolve } from 'node:path'
import { reservePort } from '../../apps/gateway/src/testing/reserve-port.ts'
import { Asterisk } from './asterisk.ts'
import { findAsterisk, installAsterisk } from './install.ts'

// install: gets an Asterisk for the tests. start: runs one for a gateway on this machine, to be tried by hand.
const [verb] = process.argv.slice(2)

async function start(): Promise<void> {
  const program = findAsterisk()
  if (!program) throw new Error('There is no Asterisk: run this with "install" first.')
  const url = (process.env.PUBLIC_API_URL ?? 'http://127.0.0.1:8080').replace(/\/+$/, '')
  const folder = resolve(process.env.FAX_DATA_DIR ?? 'faxdata', 'lines/sip')
  const secret = 'a-secret-for-trying'
  const amiPort = await reservePort()
  const asterisk = await Asterisk.start(program, {
    amiPort,
    gateway: { folder, url: `${url}/_internal/asterisk/inbound`, secret },
  })
  const env = {
    FAX_BACKEND: 'sip',
    FAX_DISABLED: 'false',
    INBOUND_ENABLED: 'true',
    ASTERISK_AMI_HOST: '127.0.0.1',
    ASTERISK_AMI_PORT: String(amiPort),
    ASTERISK_AMI_USERNAME: 'faxdeck',
    ASTERISK_AMI_PASSWORD: asterisk.exchange.password,
    ASTERISK_INBOUND_SECRET: secret,
    FAX_LOCAL_STATION_ID: '+15550000001',
  }
  console.log('Asterisk is up; every fax it sends comes back to it. Start Faxdeck with:\n')
  for (const [name, value] of Object.entries(env)) console.log(`${name}=${value}`)
  console.log('\nCtrl-C ends it.')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void asterisk.stop().then(() => process.exit(0)))
  }
}

if (verb === 'install') {
  const reason = installAsterisk()
  if (reason !== undefined) console.log(`The tests with a real Asterisk are skipped. ${reason}`)
} else if (verb === 'start') await start()
else throw new Error('Say "install" or "start".')
