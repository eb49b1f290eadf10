import type { Readable } from 'node:stream'

/** Where documents are kept. Keys are relative paths of `[a-z0-9/._-]`. One test suite serves every kind. */
export interface Storage {
  readonly kind: 'local' | 's3'
  /** Stores durably before it resolves; replaces an object of the same key whole or not at all. */
  put: (key: string, content: Uint8Array) => Promise<void>
  /** Moves a finished local file in; the file is gone afterwards. */
  putFile: (key: string, path: string) => Promise<void>
  /** @throws {StorageProblem} `missing` when there is no such object */
  get: (key: string) => Promise<Buffer>
  open: (key: string) => Promise<{ content: Readable; size: number }>
  exists: (key: string) => Promise<boolean>
  /** Removing what is not there is not an error. */
  remove: (key: string) => Promise<void>
  /**
   * The keys below a folder, page by page of at most a thousand or so. What other programs have put there may be among
   * them. What is put or removed meanwhile may be missing.
   */
  list: (folder: string) => AsyncIterable<readonly string[]>
  /** Whether objects can be written, read and removed now. */
  probe: () => Promise<void>
}

export class StorageProblem extends Error {
  override name = 'StorageProblem'
  readonly code: 'missing' | 'full' | 'unreachable' | 'bad_key'
  constructor(code: StorageProblem['code'], sentence: string) {
    super(sentence)
    this.code = code
  }
}

/** Keys are relative, without dots that climb: nothing outside the storage can be named. */
const goodKey = /^[a-z0-9_-]+(?:[./][a-z0-9_-]+)*$/

/** @throws {StorageProblem} `bad_key` */
export function checkKey(key: string): void {
  if (!goodKey.test(key)) throw new StorageProblem('bad_key', `"${key}" cannot be the name of a stored document.`)
}
