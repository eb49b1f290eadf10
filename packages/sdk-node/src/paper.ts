import { readDocument } from './files.ts'

/** A document: the path of a file, its bytes, a Blob or File, or a stream of bytes. Paths need Node, Deno or Bun. */
export type Paper = string | Uint8Array | Blob | AsyncIterable<Uint8Array>

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of stream) parts.push(new Uint8Array(part))
  return new Blob(parts)
}

/**
 * The document as a file of a form. A stream is read to its end: a request that has to be repeated needs it again.
 * @throws {FaxdeckError} when there is no such file
 */
export async function fileOf(paper: Paper, name?: string): Promise<File> {
  if (typeof paper === 'string') {
    const document = await readDocument(paper)
    return new File([new Uint8Array(document.bytes)], name ?? document.name)
  }
  if (paper instanceof Blob) return new File([paper], name ?? (paper instanceof File ? paper.name : 'document'))
  if (paper instanceof Uint8Array) return new File([new Uint8Array(paper)], name ?? 'document')
  return new File([await bytesOf(paper)], name ?? 'document')
}
