import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const headEnd = Buffer.from('\r\n\r\n')

/** The answer's length in all, once its head is there; 0 before. */
function lengthOf(bytes: Buffer): number {
  const at = bytes.indexOf(headEnd)
  if (at < 0) return 0
  const declared = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, at))
  if (!declared) throw new Error('The answer has no Content-Length, which this client needs.')
  return at + headEnd.length + Number(declared[1])
}

/**
 * A client that costs next to nothing, so that what is measured is the gateway: one connection, one request at a
 * time, written as prepared bytes.
 */
export class Connection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #answered: ((status: number) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (bytes) => this.#read(bytes))
    socket.on('error', (error) => this.#failed?.(error))
    socket.on('close', () => this.#failed?.(new Error('The gateway closed the connection.')))
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Connection(socket)
  }

  /** @returns the status of the answer, when all of it has come */
  ask(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#failed = undefined
    this.#socket.destroy()
  }

  #read(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    const length = lengthOf(this.#received)
    if (length === 0 || this.#received.length < length) return
    const status = Number(this.#received.toString('latin1', 9, 12))
    this.#received = this.#received.subarray(length)
    this.#answered?.(status)
  }
}
