import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { StorageProblem } from '../storage/storage.ts'

/**
 * An encrypted document, version 1. A header of 40 bytes: eight that tell it from any other file, and a random salt of
 * 32. Then the content in chunks of 64 KiB, each encrypted by itself with AES-256-GCM and followed by its tag of 16
 * bytes. The key of the file comes from the document's key and the salt (HKDF-SHA-256), so no nonce is used twice even
 * when a document is written again. The nonce of a chunk is its number and whether it is the last one: chunks cannot be
 * left out, exchanged or appended. The header and the name of the document are authenticated with each chunk: neither
 * can be taken from another document. This is the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár (2015).
 */
const magic = Buffer.from([0x89, 0x46, 0x44, 0x58, 0x0d, 0x0a, 0x1a, 0x01])
const saltBytes = 32
export const headerBytes = magic.length + saltBytes
export const chunkBytes = 65_536
const tagBytes = 16
const nonceBytes = 12
const algorithm = 'aes-256-gcm'

/** Whether a file begins as encrypted documents do. */
export const looksEncrypted = (content: Uint8Array): boolean =>
  Buffer.compare(content.subarray(0, magic.length), magic) === 0

/** How many bytes of a file are looked at to know whether it is encrypted. */
export const magicBytes = magic.length

export const damaged = (name: string): StorageProblem =>
  new StorageProblem(
    'damaged',
    `The stored document "${name}" was changed or cut short, so it is not opened. Restore it from a backup.`,
  )

/** The bytes of a document, from those of its encrypted file. @throws {StorageProblem} `damaged` when it is too short */
export function plainSize(fileSize: number, name: string): number {
  const body = fileSize - headerBytes
  if (body < tagBytes) throw damaged(name)
  return body - Math.ceil(body / (chunkBytes + tagBytes)) * tagBytes
}

/** As an object: Node takes five times as long to begin with a key that is bytes, more than to encrypt a page. */
function fileKey(documentKey: Uint8Array, header: Uint8Array): KeyObject {
  const salt = header.subarray(magic.length)
  return createSecretKey(
    new Uint8Array(hkdfSync('sha256', createSecretKey(documentKey), salt, 'faxdeck document 1', 32)),
  )
}

function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(nonceBytes)
  nonce.writeUInt32BE(chunk, nonceBytes - 5)
  nonce.writeUInt8(isLast ? 1 : 0, nonceBytes - 1)
  return nonce
}

/** Encrypts a whole document. @param name what it is stored under: it opens under this name only */
export function encryptDocument(documentKey: Uint8Array, name: string, content: Uint8Array): Buffer {
  const header = Buffer.concat([magic, randomBytes(saltBytes)])
  const key = fileKey(documentKey, header)
  const context = Buffer.concat([header, Buffer.from(name)])
  const parts: Buffer[] = [header]
  const last = Math.max(0, Math.ceil(content.length / chunkBytes) - 1)
  for (let chunk = 0; chunk <= last; chunk++) {
    const cipher = createCipheriv(algorithm, key, nonceOf(chunk, chunk === last)).setAAD(context)
    const plain = content.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes)
    parts.push(cipher.update(plain), cipher.final(), cipher.getAuthTag())
  }
  return Buffer.concat(parts)
}

interface Opening {
  key: KeyObject
  context: Buffer
  name: string
}

function decryptChunk({ key, context, name }: Opening, sealed: Buffer, chunk: number, isLast: boolean): Buffer {
  // Only an empty document has an empty chunk.
  if (sealed.length < tagBytes || (sealed.length === tagBytes && chunk > 0)) throw damaged(name)
  const end = sealed.length - tagBytes
  const decipher = createDecipheriv(algorithm, key, nonceOf(chunk, isLast), { authTagLength: tagBytes })
  decipher.setAAD(context).setAuthTag(sealed.subarray(end))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()])
  } catch {
    throw damaged(name)
  }
}

/**
 * Decrypts a document as it arrives, holding two chunks of it at most. Nothing is handed on before it is proven.
 * @throws {StorageProblem} `damaged` at the first byte that is not as it was written, or when the end is missing
 */
export async function* decryptDocument(
  documentKey: Uint8Array,
  name: string,
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const whole = chunkBytes + tagBytes
  let opening: Opening | undefined
  let waiting: Uint8Array[] = []
  let held = 0
  let chunk = 0
  for await (const part of file) {
    waiting.push(part)
    held += part.length
    if (held <= (opening ? whole : headerBytes)) continue
    let bytes = Buffer.concat(waiting)
    if (!opening) {
      opening = open(documentKey, name, bytes)
      bytes = bytes.subarray(headerBytes)
    }
    // One that fills a chunk to the byte may be the last: only what comes behind it says that it is not.
    for (; bytes.length > whole; bytes = bytes.subarray(whole))
      yield decryptChunk(opening, bytes.subarray(0, whole), chunk++, false)
    waiting = [bytes]
    held = bytes.length
  }
  if (!opening) throw damaged(name)
  yield decryptChunk(opening, Buffer.concat(waiting), chunk, true)
}

function open(documentKey: Uint8Array, name: string, start: Buffer): Opening {
  const header = Buffer.from(start.subarray(0, headerBytes))
  if (!looksEncrypted(header)) throw damaged(name)
  return { key: fileKey(documentKey, header), context: Buffer.concat([header, Buffer.from(name)]), name }
}
