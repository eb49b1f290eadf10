import { createHash, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Lets one setup of a checkout work at a time, so that `npm start` and `npm test` side by side do not install over each other.
 * A lock left by a process that no longer lives is taken over.
 * @template T
 * @param {string} root the checkout
 * @param {() => Promise<T>} work
 * @param {{ folder?: string, waitMs?: number }} [options]
 * @returns {Promise<T>}
 */
export async function withSetupLock(root, work, { folder = tmpdir(), waitMs = 250 } = {}) {
  const path = join(folder, `faxdeck-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`)
  let reported = false
  while (!take(path)) {
    if (!reported) console.log('Another setup of this checkout is running; waiting for it to finish.')
    reported = true
    await sleep(waitMs)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

function take(path) {
  // Linked into place, so that the lock is never seen, or left behind, without the number of its holder.
  const own = `${path}.${randomUUID()}`
  try {
    writeFileSync(own, String(process.pid), { flag: 'wx' })
    linkSync(own, path)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isHeld(path)) rmSync(path, { force: true })
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

function isHeld(path) {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM' // alive, but another person's
  }
}
