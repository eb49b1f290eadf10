import { once } from 'node:events'
import { connect } from 'node:net'
import { reasonOf } from '../http/reason.ts'

/** A line-based talk over TCP. */
export interface Dialogue {
  /** Reads up to the mark, which is dropped. @throws {DialogueBroken} when it does not come */
  readUntil: (mark: string) => Promise<string>
  say: (text: string) => void
}

/** The other side cannot be talked to; the message is one sentence without anything that was said. */
class DialogueBroken extends Error {
  override name = 'DialogueBroken'
}

/** Characters: far beyond what is said before and right after a login. */
const max = 65_536

/**
 * Connects, talks, and hangs up whatever happened.
 * @throws {DialogueBroken} when nobody answers, the connection ends, or the signal does
 */
export async function talk<T>(
  to: { host: string; port: number },
  signal: AbortSignal,
  conversation: (dialogue: Dialogue) => Promise<T>,
): Promise<T> {
  const at = `${to.host} port ${to.port}`
  const socket = connect({ ...to, signal }).setEncoding('latin1')
  // Told again by everybody who waits for the next piece.
  socket.on('error', () => undefined)
  const pieces: AsyncIterator<string> = socket[Symbol.asyncIterator]()
  let unread = ''
  const readUntil = async (mark: string): Promise<string> => {
    let end = unread.indexOf(mark)
    while (end < 0) {
      if (unread.length > max) throw new DialogueBroken(`What answers at ${at} speaks another protocol.`)
      const piece = await pieces.next()
      if (piece.done) throw new DialogueBroken(`The connection to ${at} was closed by the other side.`)
      unread += piece.value
      end = unread.indexOf(mark)
    }
    const text = unread.slice(0, end)
    unread = unread.slice(end + mark.length)
    return text
  }
  try {
    await once(socket, 'connect', { signal })
    return await conversation({ readUntil, say: (text) => void socket.write(text, 'utf8') })
  } catch (error) {
    if (error instanceof DialogueBroken) throw error
    throw new DialogueBroken(`No communication with ${at}: ${reasonOf(error, signal)}.`)
  } finally {
    socket.destroy()
  }
}
