import { Transform } from 'node:stream'

const newline = 10

/**
 * Hands on what arrives in whole lines. The MCP transport joins and searches everything it holds with each chunk, which
 * takes time with the square of a message's size; given whole lines it does so once.
 * @param maxBytes of one line; a longer one ends the stream with an error
 */
export function wholeLines(maxBytes: number): Transform {
  let parts: Buffer[] = []
  let held = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const first = chunk.indexOf(newline) + 1
      if (held + (first || chunk.length) > maxBytes) {
        const limit = Math.floor(maxBytes / 1024 / 1024)
        done(new Error(`A message is larger than ${limit} MB. Upload the document first and send its upload_id.`))
        return
      }
      const end = chunk.lastIndexOf(newline) + 1
      if (end > 0) {
        this.push(Buffer.concat([...parts, chunk.subarray(0, end)]))
        parts = []
        held = 0
      }
      parts.push(chunk.subarray(end))
      held += chunk.length - end
      done()
    },
  })
}
