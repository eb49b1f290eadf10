import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ProviderProblem } from '../provider.ts'
import { type Session, StandingConnection } from './standing-connection.ts'

function madeSession(): Session & { isOver: boolean } {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const session: Session & { isOver: boolean } = {
    isOver: false,
    ended: promise,
    end: () => {
      session.isOver = true
      resolve(undefined)
    },
  }
  return session
}

function standing(open: (signal: AbortSignal) => Promise<ReturnType<typeof madeSession>>) {
  const opened: Session[] = []
  const troubles: unknown[] = []
  const connection = new StandingConnection({
    open,
    onOpen: (session) => opened.push(session),
    onProblem: (error) => troubles.push(error),
    firstPauseMs: 1,
    longestPauseMs: 4,
  })
  onTestFinished(() => connection.close())
  return { connection, opened, troubles }
}

const never = new AbortController().signal

describe('a standing connection', () => {
  it('is opened once for everybody who asks at the same time', async () => {
    const open = vi.fn(async () => madeSession())
    const { connection, opened } = standing(open)
    const [one, two] = await Promise.all([connection.session(never), connection.session(never)])
    expect(one).toBe(two)
    expect(opened).toEqual([one])
    expect(open).toHaveBeenCalledTimes(1)
  })

  it('is opened anew when it is lost, and again while nobody answers', async () => {
    let refusals = 3
    const open = async () => {
      if (opened.length > 0 && refusals-- > 0) throw new ProviderProblem('unreachable', 'Nobody there.')
      return madeSession()
    }
    const { connection, opened, troubles } = standing(open)
    connection.start()
    await vi.waitFor(() => expect(opened).toHaveLength(1))
    opened[0]?.end()
    await vi.waitFor(() => expect(opened).toHaveLength(2))
    expect(troubles).toHaveLength(3)
    expect(await connection.session(never)).toBe(opened[1])
  })

  it('gives every caller the outcome of the attempt', async () => {
    const { connection } = standing(() => Promise.reject(new ProviderProblem('bad_credentials', 'No.')))
    await expect(connection.session(never)).rejects.toMatchObject({ kind: 'bad_credentials' })
  })

  it('lets a caller go whose time is over, and goes on connecting', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof madeSession>>()
    const { connection, opened } = standing(() => promise)
    await expect(connection.session(AbortSignal.timeout(1))).rejects.toMatchObject({ name: 'TimeoutError' })
    resolve(madeSession())
    await vi.waitFor(() => expect(opened).toHaveLength(1))
  })

  it('ends its session when it is closed, and opens none any more', async () => {
    const session = madeSession()
    const open = vi.fn(async () => session)
    const { connection } = standing(open)
    await connection.session(never)
    await connection.close()
    expect(session.isOver).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(open).toHaveBeenCalledTimes(1)
  })
})
