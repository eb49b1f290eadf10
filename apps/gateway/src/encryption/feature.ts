import type { GatewayContext } from '../context.ts'
import type { Feature } from '../feature.ts'
import type { Storage } from '../storage/storage.ts'
import { encryptPlain } from './encrypt-plain.ts'
import { sealPageText } from '../page-text/seal-stored.ts'

/** Encrypts what was stored before, and wraps the keys of documents again after the master key was changed. */
export function createEncryption(context: GatewayContext, places: Storage) {
  const { documentKeys, events, log } = context
  const ending = new AbortController()
  let running: Promise<void> | undefined
  const run = async () => {
    const rewrapped = await documentKeys.rewrap(() => undefined, ending.signal)
    if (rewrapped > 0) log.info({ documents: rewrapped }, 'The keys of documents are wrapped with the new key.')
    if (!(await documentKeys.isOn()) || !(await documentKeys.hasPlain())) return
    await sealPageText(context, ending.signal)
    const documents = await encryptPlain(context, places, ending.signal)
    if (documents === 0) return
    await events.documentsEncrypted({ documents })
    log.info({ documents }, 'Documents that were stored before are encrypted now.')
  }
  return {
    name: 'encryption',
    tidy: () => (running ??= run().finally(() => (running = undefined))),
    close: async () => {
      ending.abort()
      await running?.catch(() => undefined)
    },
  } satisfies Feature
}
