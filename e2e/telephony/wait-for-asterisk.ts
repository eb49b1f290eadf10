import { setTimeout as sleep } from 'node:timers/promises'

const installer = Number(process.env.FAXDECK_ASTERISK_INSTALLER ?? 0)

const isRunning = () => {
  try {
    return process.kill(installer, 0)
  } catch {
    return false
  }
}

// `npm test` installs Asterisk beside the tests that need none.
while (installer > 0 && isRunning()) await sleep(200)
