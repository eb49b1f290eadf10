import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { WebhookFile, WebhookRequest } from '@faxdeck/provider-kit'
import { Problem } from '../../base/http/answers/problem.ts'
import { readForm, boundaryOf, FormSplitter, type PartHead } from '../../base/http/forms/read-form.ts'
import { ArrivedBody, ScratchFile } from '../../base/http/forms/arrived-body.ts'
import type { DocumentMemory } from '../../base/storage/document-memory.ts'
import type { Hold } from './room.ts'

/** The body of a callback, read. */
export interface ReadBody extends Pick<WebhookRequest, 'body' | 'fields' | 'files'> {
  /** Bytes of its files that are read into memory when they are asked for. */
  onDisk: number
  /** Frees what it holds on disk. */
  close: () => Promise<void>
}

/** How much of a body is read, and for how long. */
export interface BodyBounds {
  bytes: number
  ms: number
}

/** 256 kB: text. */
export const textBounds: BodyBounds = { bytes: 256 * 1024, ms: 10_000 }
/** 50 MB: the largest document a provider may push to us. */
export const documentBounds: BodyBounds = { bytes: 50 * 1024 * 1024, ms: 60_000 }

export function tooLarge({ bytes }: BodyBounds): Problem {
  const max = bytes < 1024 * 1024 ? `${bytes / 1024} kB` : `${bytes / 1024 / 1024} MB`
  return new Problem('too_large', `The body of this callback is larger than ${max}, the limit for this address.`)
}

const unreadable = () => new Problem('bad_request', 'The body does not match its Content-Type.')
const cutShort = () => new Problem('bad_request', 'The body was incomplete.')

/** A body must bring so much in each stretch of time that we wait for it: nobody keeps a place by a trickle. */
const stretchSeconds = 5
const leastPerStretch = 8 * 1024

/**
 * Asks for one piece after the other. A promise that lasts as long as the body would, raced with each of them, keep
 * every piece in memory until the end.
 */
function inTime(pieces: AsyncIterator<Buffer, undefined>, ms: number, hold: Hold) {
  let why: Problem | undefined
  let giveUp = () => {}
  let isWaiting = false
  let [seconds, bytes] = [0, 0]
  const end = (problem: Problem) => {
    why ??= problem
    giveUp()
  }
  hold.onGiveUp(end)
  const timer = setTimeout(() => end(new Problem('too_slow')), ms)
  const pace = setInterval(() => {
    // That we are busy ourselves is not the sender's fault.
    if (isWaiting) seconds += 1
    if (seconds < stretchSeconds) return
    if (bytes < leastPerStretch) end(new Problem('too_slow'))
    seconds = bytes = 0
  }, 1000)
  const next = () =>
    new Promise<IteratorResult<Buffer, undefined>>((resolve, reject) => {
      giveUp = () => reject(why ?? cutShort())
      if (why) giveUp()
      isWaiting = true
      pieces.next().then(resolve, () => reject(cutShort()))
    }).then((result) => {
      isWaiting = false
      bytes += result.value?.length ?? 0
      return result
    })
  const stop = () => {
    clearTimeout(timer)
    clearInterval(pace)
  }
  return { next, stop }
}

/** The pieces of a body within its bounds. The request stays open, so that it can be answered. */
async function* arriving(body: Readable, bounds: BodyBounds, hold: Hold): AsyncGenerator<Buffer> {
  const pieces = inTime(body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>, bounds.ms, hold)
  let size = 0
  try {
    for (;;) {
      const next = await pieces.next()
      if (next.done) {
        hold.finish()
        return
      }
      size += next.value.length
      if (size > bounds.bytes) throw tooLarge(bounds)
      hold.grow(next.value.length)
      yield next.value
    }
  } finally {
    pieces.stop()
  }
}

/**
 * Reads a body of text into memory.
 * @throws {Problem} `too_large`, `too_slow`, `bad_request`
 */
export async function readText(request: Readable, contentType: string, hold: Hold): Promise<ReadBody> {
  const pieces: Buffer[] = []
  for await (const piece of arriving(request, textBounds, hold)) pieces.push(piece)
  const body = Buffer.concat(pieces)
  try {
    return { body, ...readForm(body, contentType), onDisk: 0, close: async () => undefined }
  } catch {
    throw unreadable()
  }
}

interface ArrivingFile extends PartHead {
  from: number
  hash: Hash
}

/** The parts of a form: text in memory, files in one file on disk. */
class FormOnDisk {
  readonly fields: [string, string][] = []
  readonly files: WebhookFile[] = []
  readonly #scratch: ScratchFile
  #part: PartHead | ArrivingFile | undefined
  #text: Buffer[] = []
  #textBytes = 0

  constructor(scratch: ScratchFile) {
    this.#scratch = scratch
  }

  /** Begins the part of a head; the one before is complete. */
  begin(head: PartHead): void {
    this.endPart()
    const isFile = head.fileName !== undefined
    this.#part = isFile ? { ...head, from: this.#scratch.size, hash: createHash('sha1') } : head
  }

  async add(content: Buffer): Promise<void> {
    if (this.#part && 'hash' in this.#part) {
      this.#part.hash.update(content)
      return this.#scratch.append(content)
    }
    this.#textBytes += content.length
    if (this.#textBytes > textBounds.bytes) throw tooLarge(textBounds)
    this.#text.push(content)
  }

  endPart(): void {
    const part = this.#part
    if (part && 'hash' in part) this.files.push(this.#fileOf(part))
    else if (part) this.fields.push([part.name, Buffer.concat(this.#text).toString()])
    this.#part = undefined
    this.#text = []
  }

  #fileOf({ name, fileName = '', contentType, from, hash }: ArrivingFile): WebhookFile {
    const scratch = this.#scratch
    const length = scratch.size - from
    let bytes: Buffer | undefined
    return {
      name,
      fileName,
      contentType,
      sha1: hash.digest('hex'),
      get bytes() {
        return (bytes ??= scratch.read(from, length))
      },
    }
  }
}

async function splitTo(form: FormOnDisk, splitter: FormSplitter, chunk: Buffer): Promise<void> {
  for (const piece of splitter.push(chunk)) {
    if ('head' in piece) form.begin(piece.head)
    else await form.add(piece.content)
  }
}

/**
 * Reads a multipart form whose files go to disk while they arrive.
 * @param folder for scratch files
 * @throws {Problem} `too_large`, `too_slow`, `bad_request`
 */
export async function readFormWithFiles(
  request: Readable,
  contentType: string,
  folder: string,
  hold: Hold,
): Promise<ReadBody> {
  const scratch = new ScratchFile(folder)
  try {
    const form = new FormOnDisk(scratch)
    const splitter = new FormSplitter(boundaryOf(contentType))
    for await (const chunk of arriving(request, documentBounds, hold)) await splitTo(form, splitter, chunk)
    splitter.end()
    form.endPart()
    const { fields, files } = form
    return { body: Buffer.alloc(0), fields, files, onDisk: scratch.size, close: () => scratch.close() }
  } catch (error) {
    await scratch.close()
    throw isOurs(error) ? error : unreadable()
  }
}

/** What the splitter throws is about the form; all else keeps its own meaning, as that of a full disk. */
const isOurs = (error: unknown) => error instanceof Problem || (error instanceof Error && 'code' in error)

/**
 * Reads a body in which a document is part of the text, as in JSON. A large one waits on disk until there is room for it
 * in memory.
 * @throws {Problem} `too_large`, `too_slow`, `bad_request`, `unavailable`
 */
export async function readLargeText(
  request: Readable,
  folder: string,
  hold: Hold,
  memory: Pick<DocumentMemory, 'acquire'>,
): Promise<ReadBody> {
  const arrived = new ArrivedBody(folder)
  try {
    for await (const chunk of arriving(request, documentBounds, hold)) await arrived.add(chunk)
    const giveBack = arrived.isInMemory ? () => undefined : await memory.acquire(arrived.size)
    try {
      return { fields: [], files: [], onDisk: 0, body: arrived.read(), close: async () => giveBack() }
    } catch (error) {
      giveBack()
      throw error
    }
  } finally {
    await arrived.close()
  }
}
