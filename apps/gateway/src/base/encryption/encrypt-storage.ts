import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { SealBroken } from '../settings/seal.ts'
import { checkKey, type Storage, StorageProblem } from '../storage/storage.ts'
import { type DocumentKey, DocumentKeys } from './document-keys.ts'
import { damaged, decryptDocument, encryptDocument, looksEncrypted, magicBytes, plainSize } from './format.ts'

const isMissing = (error: unknown) => error instanceof StorageProblem && error.code === 'missing'

const withoutKey = (name: string) =>
  new StorageProblem(
    'damaged',
    `The stored document "${name}" is encrypted, and its key is not in the database. Restore the database and the documents from the same backup.`,
  )

async function keyOf(keys: DocumentKeys, name: string): Promise<DocumentKey | undefined> {
  try {
    return await keys.find(name)
  } catch (error) {
    throw error instanceof SealBroken ? withoutKey(name) : error
  }
}

/**
 * What decrypts a document; undefined when it lies there as it is.
 * @param before its key when it was looked for before the document was opened
 * @throws {StorageProblem} `damaged` when it is not what the database knows
 */
async function judge(
  keys: DocumentKeys,
  name: string,
  before: DocumentKey | undefined,
  start: Uint8Array,
): Promise<Buffer | undefined> {
  const isEncrypted = looksEncrypted(start)
  // It may have been encrypted in between.
  const known = isEncrypted && !before ? await keyOf(keys, name) : before
  if (isEncrypted && !known) throw withoutKey(name)
  // Somebody has put another file in its place.
  if (!isEncrypted && known?.state === 'sealed') throw damaged(name)
  return isEncrypted ? known?.key : undefined
}

/** A stream's first bytes, and all of it again. */
async function peek(content: Readable): Promise<{ start: Buffer; all: AsyncGenerator<Uint8Array> }> {
  const parts = content[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  const first: Uint8Array[] = []
  let size = 0
  while (size < magicBytes) {
    const next = await parts.next()
    if (next.done) break
    first.push(next.value)
    size += next.value.length
  }
  const all = async function* () {
    try {
      yield* first
      for (let next = await parts.next(); !next.done; next = await parts.next()) yield next.value
    } finally {
      content.destroy()
    }
  }
  return { start: Buffer.concat(first), all: all() }
}

function encryptedPut(storage: Storage, keys: DocumentKeys): Pick<Storage, 'put' | 'putWith'> {
  const put = async (name: string, content: Uint8Array): Promise<void> => {
    checkKey(name)
    if (!(await keys.isOn())) {
      await keys.notePlain()
      await storage.put(name, content)
      if (await keys.find(name)) await keys.forget(name)
      return
    }
    // The key first: a document that is replaced keeps the one that it has, and opens at every moment.
    const key = await keys.keep(name, DocumentKeys.fresh(), 'sealed')
    await storage.put(name, encryptDocument(key, name, content))
  }
  const putWith: Storage['putWith'] = async (name, content) => {
    if (!(await keys.isOn())) return undefined
    const fresh = DocumentKeys.fresh()
    await storage.put(name, encryptDocument(fresh, name, content))
    return (tx) => keys.keepWith(tx, name, fresh)
  }
  return { put, putWith }
}

/**
 * A storage whose documents lie encrypted wherever it puts them. Names, sizes and contents are those of the documents
 * themselves for everybody above. What was put before encryption was turned on is read as it is.
 */
export function encryptStorage<S extends Storage>(storage: S, keys: DocumentKeys): S {
  const read = async (name: string): Promise<Buffer> => {
    const known = await keyOf(keys, name)
    const file = await storage.get(name)
    const key = await judge(keys, name, known, file)
    return key ? buffer(decryptDocument(key, name, Readable.from([file]))) : file
  }
  const open = async (name: string) => {
    const known = await keyOf(keys, name)
    const { content, size } = await storage.open(name)
    try {
      const { start, all } = await peek(content)
      const key = await judge(keys, name, known, start)
      if (!key) return { content: Readable.from(all, { objectMode: false }), size }
      const plain = Readable.from(decryptDocument(key, name, all), { objectMode: false })
      return { content: plain, size: plainSize(size, name) }
    } catch (error) {
      content.destroy()
      throw error
    }
  }
  return {
    ...storage,
    // A getter, which the spread has read.
    get kind() {
      return storage.kind
    },
    ...encryptedPut(storage, keys),
    get: read,
    open,
    remove: async (name: string) => {
      await storage.remove(name)
      await keys.forget(name)
    },
  }
}

/**
 * Encrypts a document that lies there as it was put. Until it is done it opens either way; when it is removed meanwhile,
 * it stays removed.
 * @param storage the places themselves
 * @returns false when there was nothing to encrypt
 */
export async function encryptStored(storage: Storage, keys: DocumentKeys, name: string): Promise<boolean> {
  const key = await keys.keep(name, DocumentKeys.fresh(), 'pending')
  const content = await storage.get(name).catch(async (error: unknown) => {
    if (!isMissing(error)) throw error
    await keys.forget(name)
    return undefined
  })
  if (!content) return false
  const isPlain = !looksEncrypted(content)
  if (isPlain) await storage.replace(name, encryptDocument(key, name, content))
  if (await keys.settle(name)) return isPlain
  // It was removed, key and all, while it was being encrypted.
  await storage.remove(name)
  return false
}
