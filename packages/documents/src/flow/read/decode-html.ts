import { isUtf8 } from 'node:buffer'

/** The text of an HTML file by its byte order mark, its own word or, without one, what it is: UTF-8 or Windows-1252. */
export function decodeHtml(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1')
  if (start.startsWith('\xff\xfe')) return new TextDecoder('utf-16le').decode(bytes)
  if (start.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(bytes)
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  const said = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1] ?? 'windows-1252'
  try {
    return new TextDecoder(said).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
