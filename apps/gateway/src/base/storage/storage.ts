import type { Readable } from 'node:stream'
import type { Tx } from '../db/tx.ts'

/** Where documents are stored. Keys are relative paths of `[a-z0-9/._-]`. One test suite serves every kind. */
export interface Storage {
  readonly kind: 'local' | 's3'
  /** Stores durably before it resolves; replaces an object of the same key whole or not at all. */
  put: (key: string, content: Uint8Array) => Promise<void>
  /**
   * As `put`, for a document under a new key that one transaction makes count.
   * @returns what that transaction has to call, which is then part of it; undefined where `put` is needed instead
   */
  putWith?: (key: string, content: Uint8Array) => Promise<((tx: Tx) => void) | undefined>
  /** As `put`, for a document that is there: it stays in the place where it lies. */
  replace: (key: string, content: Uint8Array) => Promise<void>
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
  /**
   * Whether this is the place that the installation keeps its documents in. Cheap: a bucket is asked every ten seconds.
   * @throws {StorageProblem} `displaced` with a sentence when it is another one
   */
  check: () => Promise<void>
  /** The same, asked now, and whether objects can be written, read and removed. */
  probe: () => Promise<void>
  /** Whether a document was looked for in vain, as far as is remembered: never asks the place. */
  isMissing?: (key: string) => boolean
}

/** A folder or a bucket, whose marker tells it from others. It is not compared here. */
export interface Place extends Storage {
  /** For people: `The documents folder /data/documents`. */
  readonly name: string
  /** What its marker says; undefined when it has none, or is not there at all. Cheap on a disk. */
  readId: () => Promise<string | undefined>
  writeId: (id: string) => Promise<void>
}

/** Where a place keeps its marker. */
export const markerKey = 'storage-id'

/** The sentence of a problem in its parts, for those who show them apart. */
export interface StorageAdvice {
  /** What was seen. */
  seen: string
  /** What is wrong and what to do. */
  hint: string
  /** The setting to go to. */
  setting?: string
}

export class StorageProblem extends Error {
  override name = 'StorageProblem'
  /** `displaced`: not the place that this installation uses. `damaged`: encrypted, and not opened by its key. */
  readonly code: 'missing' | 'full' | 'unreachable' | 'displaced' | 'bad_key' | 'damaged'
  readonly advice: StorageAdvice | undefined
  /** @param sentence what failed and what to do */
  constructor(code: StorageProblem['code'], sentence: string, advice?: StorageAdvice) {
    super(sentence)
    this.code = code
    this.advice = advice
  }
}

/** Keys are relative, without dots that climb: nothing outside the storage can be named. */
const goodKey = /^[a-z0-9_-]+(?:[./][a-z0-9_-]+)*$/

/** @throws {StorageProblem} `bad_key` */
export function checkKey(key: string): void {
  if (!goodKey.test(key)) throw new StorageProblem('bad_key', `"${key}" cannot be the name of a stored document.`)
}
