import { openAddress } from './courier.ts'

/** The document behind a link could not be had; the message is the reason. */
class DocumentUnreachable extends Error {
  override name = 'DocumentUnreachable'
}

/**
 * Fetches a document from the link the gateway gave, as a provider does.
 * @throws {DocumentUnreachable} when there is no answer, another one than 200, or no PDF
 */
export async function fetchLinkedPdf(address: string): Promise<Uint8Array> {
  const { url, headers } = openAddress(address)
  const response = await fetch(url, { headers }).catch((error: unknown) => {
    throw new DocumentUnreachable(`The link could not be opened: ${String(error)}`)
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (response.status !== 200) throw new DocumentUnreachable(`The link answered ${response.status}.`)
  if (!isPdf(bytes)) throw new DocumentUnreachable('The link leads to no PDF.')
  return bytes
}

/** Whether the bytes begin like a PDF. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-')
}

/** How many pages a PDF has, as far as its page objects stand in the open; 1 when none does. */
export function countPdfPages(bytes: Uint8Array): number {
  return Math.max(
    1,
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\/Type\s*\/Page(?![a-z])/gi)?.length ?? 0,
  )
}
