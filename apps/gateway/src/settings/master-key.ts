import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { isMasterKey } from '@faxdeck/settings'
import { readOrMakeSecret } from './secret-file.ts'

function bytesOf(text: string): Buffer {
  return Buffer.from(text, text.length === 64 ? 'hex' : 'base64')
}

/**
 * The 256-bit key that seals saved secrets: FAXDECK_MASTER_KEY, or the one in the data directory, made at the first start.
 * @throws with a sentence when the file does not hold a key, otherwise what the file system refused
 */
export function masterKey(given: string | null, dataDirectory: string): Buffer {
  if (given !== null) return bytesOf(given)
  const file = join(dataDirectory, 'master-key')
  const { secret } = readOrMakeSecret(file, () => randomBytes(32).toString('hex'))
  if (isMasterKey(secret) !== undefined) {
    throw new Error(`The file ${file} does not hold a master key. Put the right one back, or set FAXDECK_MASTER_KEY.`)
  }
  return bytesOf(secret)
}
