import { randomKey } from './random-key.ts'

/**
 * What a tab holds beyond a reload and the end of a session, never plain on a disk (decision 47): it is encrypted with
 * AES-256-GCM under a key made of two halves, one that no script can read (IndexedDB) and one that goes with the tab
 * (sessionStorage). Where a page has no cryptography (plain HTTP from another host) it stays in memory.
 */
const database = 'faxdeck'
const store = 'sealed'
const baseKey = 'key'
const idName = 'faxdeck:tab-id'
const saltName = 'faxdeck:tab-salt'
/** What no tab came back for is removed. */
const retentionMs = 8 * 3_600_000

interface Sealed {
  iv: Uint8Array<ArrayBuffer>
  data: ArrayBuffer
  at: number
}

/** What was sealed since the page was loaded: it needs no key. */
const inMemory = new Map<string, Uint8Array<ArrayBuffer>>()

const canSeal = () => 'indexedDB' in globalThis && (crypto as Partial<Crypto>).subtle !== undefined

const answerOf = <Value>(request: IDBRequest<Value>) =>
  new Promise<Value>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser keeps nothing here.'))
  })

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(store)
  return answerOf(request)
}

async function withStore<Value>(work: (objects: IDBObjectStore) => Promise<Value>): Promise<Value> {
  const connection = await open()
  try {
    return await work(connection.transaction(store, 'readwrite').objectStore(store))
  } finally {
    connection.close()
  }
}

function ofTab(name: string): string {
  const known = sessionStorage.getItem(name)
  if (known !== null) return known
  const made = randomKey()
  sessionStorage.setItem(name, made)
  return made
}

const recordOf = (name: string) => `${ofTab(idName)}:${name}`

async function tabKey(): Promise<CryptoKey> {
  const raw = crypto.getRandomValues(new Uint8Array(32))
  const made = await crypto.subtle.importKey('raw', raw, 'HKDF', false, ['deriveKey'])
  // Two tabs at once: the first one's key is everybody's.
  const base = await withStore(async (objects) => {
    const known = (await answerOf(objects.get(baseKey))) as CryptoKey | undefined
    if (known === undefined) await answerOf(objects.put(made, baseKey))
    return known ?? made
  })
  const salt = new TextEncoder().encode(ofTab(saltName))
  const how = { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode('faxdeck tab') }
  return crypto.subtle.deriveKey(how, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

let last: Promise<unknown> = Promise.resolve()

/** One after another: what is sealed last is what is found. A browser that keeps nothing leaves it in memory. */
function inTurn<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  const turn = last.then(async () => (canSeal() ? work() : undefined)).catch(() => undefined)
  last = turn
  return turn
}

/** Keeps bytes of this tab under a name; undefined forgets them. */
export async function seal(name: string, bytes: Uint8Array<ArrayBuffer> | undefined): Promise<void> {
  if (bytes) inMemory.set(name, bytes)
  else inMemory.delete(name)
  await inTurn(async () => {
    const record = recordOf(name)
    if (!bytes) {
      await withStore((objects) => answerOf(objects.delete(record)))
      return
    }
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await tabKey(), bytes)
    const sealed: Sealed = { iv, data, at: Date.now() }
    await withStore((objects) => answerOf(objects.put(sealed, record)))
  })
}

async function removeOld(): Promise<void> {
  await withStore(async (objects) => {
    for (const key of await answerOf(objects.getAllKeys())) {
      const value = (await answerOf(objects.get(key))) as Partial<Sealed> | undefined
      if (value?.at !== undefined && value.at < Date.now() - retentionMs) await answerOf(objects.delete(key))
    }
  })
}

/** What this tab sealed under a name; undefined when nothing, or when it cannot be opened any more. */
export async function unseal(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const held = inMemory.get(name)
  if (held) return held
  return inTurn(async () => {
    await removeOld()
    const sealed = (await withStore((objects) => answerOf(objects.get(recordOf(name))))) as Sealed | undefined
    if (!sealed) return undefined
    const { iv, data } = sealed
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await tabKey(), data))
  })
}

/** Forgets what every tab sealed, and the key with it: at log-out, which is one of all tabs. */
export async function forgetSealed(): Promise<void> {
  inMemory.clear()
  await inTurn(() => withStore((objects) => answerOf(objects.clear())))
}
