import { describe, expect, it } from 'vitest'
import { listeningGateway, type Program } from '../../testing/listening.ts'

/** The test line takes a second for each digit of this many. */
const slowNumber = '+15555550103'
const settled = (program: Program, id: string) => program.call('GET', `/fax/${id}?wait=60`)
const typesOf = (events: readonly { event?: string }[]) => events.map(({ event }) => event)

describe('waiting for a fax', () => {
  it('is answered as soon as the outcome is known, and at once when it is known already', async () => {
    const { program } = await listeningGateway()
    const key = await program('own')
    const id = await key.send()
    const outcome = await settled(key, id)
    expect(outcome.json()).toMatchObject({ id, status: 'SUCCESS' })
    expect((await settled(key, id)).json()).toMatchObject({ status: 'SUCCESS' })
  })

  it('ends with what is known when the time is up, and when the gateway stops', async () => {
    const { program, stop } = await listeningGateway({ env: { TESTLINE_SECONDS: '60' } })
    const key = await program('own')
    const id = await key.send({ to: slowNumber })
    expect((await key.call('GET', `/fax/${id}?wait=1`)).json()['status']).not.toBe('SUCCESS')
    const waiting = key.call('GET', `/fax/${id}?wait=60`)
    const other = key.call('GET', `/fax/${id}?wait=60`)
    await expect.poll(async () => (await key.call('GET', `/fax/${id}`)).status).toBe(200)
    await stop()
    for (const answer of await Promise.all([waiting, other])) expect(answer.json()).toMatchObject({ id })
  })

  it('counts as one call, however long it takes', async () => {
    const { program } = await listeningGateway({ env: { MAX_READS_PER_MINUTE: '100' } })
    const key = await program('own')
    const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => key.send({ to: `+1555555013${n}` })))
    const answers = await Promise.all(ids.map((id) => settled(key, id)))
    expect(answers.map((answer) => answer.json()['status'])).toEqual(ids.map(() => 'SUCCESS'))
    const left = answers.map((answer) => Number(/;r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]))
    expect(Math.min(...left)).toBeGreaterThanOrEqual(92)
  })

  it('is refused for longer than a minute', async () => {
    const { program } = await listeningGateway()
    const key = await program('own')
    expect((await key.call('GET', `/fax/${'0'.repeat(32)}?wait=61`)).status).toBe(422)
  })
})

describe('the events of faxes', () => {
  it('tell what happens to the faxes of the key, with their labels, and nothing of others', async () => {
    const { program } = await listeningGateway()
    const [own, foreign, all] = [await program('own'), await program('own'), await program('all')]
    const [heard, elsewhere, everything] = [await own.events(), await foreign.events(), await all.events()]
    const theirs = await foreign.send({ reference: 'theirs' })
    const id = await own.send({ reference: 'ours', metadata: '{"order":"4711"}' })
    await expect.poll(() => typesOf(heard.events())).toContain('fax.delivered')
    await settled(foreign, theirs)
    const [first] = heard.events()
    expect(first).toMatchObject({ event: 'fax.queued', data: { type: 'fax.queued', fax: { id } } })
    expect(first?.data?.['fax']).toMatchObject({ reference: 'ours', metadata: { order: '4711' } })
    expect(first?.id).toBe(first?.data?.['id'])
    expect(typesOf(heard.events())).toContain('fax.sending')
    expect(heard.text()).not.toContain(theirs)
    expect(elsewhere.text()).not.toContain(id)
    await expect.poll(() => everything.text()).toContain(theirs)
    expect(everything.text()).toContain(id)
  })

  it('are sent again after the last one that was seen, also when the gateway was started anew', async () => {
    const { program, stop, directory, key: admin } = await listeningGateway()
    const own = await program('own', ['fax:send', 'fax:read'])
    const heard = await own.events()
    const id = await own.send()
    await expect.poll(() => typesOf(heard.events())).toContain('fax.delivered')
    heard.close()
    const [seen, ...missed] = heard.events()
    const again = await own.events(seen?.id)
    await expect.poll(() => again.events().map((event) => event.id)).toEqual(missed.map((event) => event.id))
    await stop()
    const next = await listeningGateway({ directory })
    expect(next.key).toBe(admin)
    const after = await own.at(next.address).events(seen?.id)
    await expect.poll(() => after.events().map((event) => event.id)).toEqual(missed.map((event) => event.id))
    expect(after.text()).toContain(id)
  })

  it('begin with a reset when the last one is unknown, foreign or older than a day', async () => {
    const clock = { ms: Date.now() }
    const { program } = await listeningGateway({ now: () => new Date(clock.ms) })
    const [own, foreign] = [await program('own'), await program('own')]
    const heard = await own.events()
    const id = await own.send()
    await expect.poll(() => typesOf(heard.events())).toContain('fax.delivered')
    const last = heard.events()[0]?.id ?? ''
    expect(last.startsWith(id)).toBe(true)
    const texts: string[] = []
    for (const [reader, given] of [
      [foreign, last],
      [foreign, `${'0'.repeat(32)}.${'0'.repeat(16)}`],
      [own, 'made up'],
    ] as const) {
      const stream = await reader.events(given)
      await expect.poll(() => typesOf(stream.events())).toEqual(['reset'])
      texts.push(stream.text())
    }
    expect(new Set(texts).size).toBe(1)
    clock.ms += 25 * 3_600_000
    const late = await own.events(last)
    await expect.poll(() => typesOf(late.events())[0]).toBe('reset')
  })

  it('end with the key, and need one that may read', async () => {
    const { program, client } = await listeningGateway()
    const own = await program('own')
    expect((await (await program('own', ['fax:send'])).events()).status).toBe(403)
    const stream = await own.events()
    await expect.poll(() => stream.text()).toContain(': open')
    await client.revokeApiKey({ params: { id: own.keyId }, query: {} })
    await expect.poll(() => stream.hasEnded()).toBe(true)
  })
})
