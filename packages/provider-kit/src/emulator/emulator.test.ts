import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Courier } from './courier.ts'
import { planCall } from './destinations.ts'
import { countPdfPages, fetchLinkedPdf } from './fetch-document.ts'
import { EmulatedLine, type EmulatedFax } from './line.ts'
import { readForm } from './read-form.ts'
import { type EmulatedReply, serve, type Handle } from './serve.ts'

const threePages = Buffer.from('%PDF-1.7 /Type/Page /Type/Page /Type/Page /Type/Pages')

async function serving(handle: Handle) {
  const server = await serve(handle)
  onTestFinished(() => server.close())
  return server
}

function line() {
  const reported: EmulatedFax[] = []
  const made = new EmulatedLine({ stepMs: 1, report: (fax) => void reported.push({ ...fax }) })
  onTestFinished(() => made.close())
  const take = (to: string, document: Uint8Array | { link: string } = threePages) =>
    made.take({ id: to, from: null, to, document, callbackUrl: null, labels: {} }, made.plan(to))
  return { made, reported, take }
}

describe('an emulated server', () => {
  it('reads forms and answers JSON, bytes, or what it was told to answer next', async () => {
    const server = await serving((request): EmulatedReply => {
      if (request.method === 'GET') return { status: 200, bytes: Buffer.from('%PDF-'), headers: { 'x-a': '1' } }
      const { fields, files } = request.form()
      return { status: 201, body: { fields, files: files.map(({ bytes, ...file }) => [file, String(bytes)]) } }
    })
    const form = new FormData()
    form.append('to', '+1')
    form.append('file', new Blob(['%PDF-\r\n--x'], { type: 'application/pdf' }), 'a.pdf')
    const post = async (body: FormData | URLSearchParams) =>
      (await fetch(`${server.origin}/x`, { method: 'POST', body })).json()
    const file = { name: 'file', fileName: 'a.pdf', contentType: 'application/pdf' }
    expect(await post(form)).toEqual({ fields: [['to', '+1']], files: [[file, '%PDF-\r\n--x']] })
    expect(await post(new URLSearchParams({ a: 'b c' }))).toEqual({ fields: [['a', 'b c']], files: [] })
    server.answerNext({ status: 503 }, /y$/)
    const asked = async (path: string) => (await fetch(server.origin + path)).status
    expect([await asked('/x'), await asked('/y'), await asked('/y')]).toEqual([200, 503, 200])
    expect(server.requests).toHaveLength(5)
  })

  it.each(['application/json', 'multipart/form-data; boundary=b', 'multipart/form-data'])(
    'reads no form out of a broken body of %s',
    (contentType) => {
      expect(() =>
        readForm(Buffer.from('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx'), contentType),
      ).toThrow('form')
    },
  )

  it('cuts a connection, stays silent, and says 500 when it breaks', async () => {
    const server = await serving(() => Promise.reject(new Error('broken')))
    expect((await fetch(server.origin)).status).toBe(500)
    server.answerNext('cut')
    await expect(fetch(server.origin)).rejects.toThrow('fetch failed')
    server.answerNext('silence')
    await expect(fetch(server.origin, { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout')
  })
})

describe('an emulated line', () => {
  it('moves a fax by itself and reports each step', async () => {
    const { reported, take } = line()
    take('+15555550123')
    await vi.waitFor(() => expect(reported.map(({ state }) => state)).toEqual(['in_progress', 'ended']))
    expect(reported[1]).toMatchObject({ ending: 'delivered', pagesConfirmed: 3 })
  })

  it('does with the magic numbers what they say', async () => {
    const { made, reported, take } = line()
    for (const digits of ['0100', '0103', '0107', '0111']) take(`+1555555${digits}`)
    await vi.waitFor(() => expect(made.faxes.map(({ state }) => state)).toEqual(Array(4).fill('ended')))
    expect(made.faxes.map(({ ending, pagesConfirmed }) => [ending, pagesConfirmed])).toEqual([
      ['busy', 0],
      ['partial', 1],
      ['delivered', 3],
      ['unknown_word', 3],
    ])
    expect(reported.some(({ to }) => to.endsWith('0107'))).toBe(false)
    expect(reported.some(({ state }) => state === 'unknown_word')).toBe(true)
  })

  it('reports the end twice and then the past, and the end before the answer', async () => {
    const { reported, take } = line()
    expect(take('+15555550113').state).toBe('ended')
    expect(reported).toHaveLength(1)
    take('+15555550110')
    await vi.waitFor(() =>
      expect(reported.map(({ state }) => state)).toEqual(['ended', 'ended', 'ended', 'in_progress']),
    )
  })

  it('follows the link of a document before the call, and fails where it leads nowhere', async () => {
    const { origin } = await serving(({ path }) => ({ status: path === '/good' ? 200 : 403, bytes: threePages }))
    const { made, take } = line()
    take('+15555550123', { link: `${origin}/good` })
    take('+15555550199', { link: `${origin}/bad` })
    await vi.waitFor(() => expect(made.faxes.map(({ ending }) => ending)).toEqual(['delivered', 'bad_document']))
    expect(made.faxes.map(({ pages }) => pages)).toEqual([3, 0])
  })

  it('cancels only what has not begun', () => {
    const { made, take } = line()
    take('+15555550123')
    expect([made.cancel('+15555550123'), made.cancel('+15555550123'), made.cancel('?')]).toEqual([true, false, false])
  })

  it('is busy twice, limits once, and knows nothing of other numbers', () => {
    const endings = [0, 1, 2].map((tries) => planCall('+15555550105', tries).ending)
    expect(endings).toEqual(['busy', 'busy', 'delivered'])
    expect([0, 1].map((tries) => planCall('+15555550108', tries).answer)).toEqual(['rate_limited', 'taken'])
    expect(planCall('+442079460100', 0)).toMatchObject({ ending: 'delivered', answer: 'taken' })
  })
})

describe('a courier', () => {
  const carrying = (pauses: number[]) => {
    const courier = new Courier({ pauses, minuteMs: 1 })
    onTestFinished(() => courier.close())
    return courier
  }

  it('tries again until it is acknowledged, with the credentials of the address as Basic', async () => {
    const server = await serving(({ headers }) => ({ status: headers.authorization ? 200 : 401 }))
    server.answerNext({ status: 500 })
    const courier = carrying([1, 1])
    await courier.post(`${server.origin.replace('//', '//me:p%40ss@')}/in?x=1`, () => ({ body: 'a' }))
    expect(courier.deliveries.map(({ status }) => status)).toEqual([500, 200])
    const { authorization } = server.requests[1]?.headers ?? {}
    expect(Buffer.from(authorization?.slice(6) ?? '', 'base64').toString()).toBe('me:p@ss')
  })

  it('gives up after its tries, and at once when it is closed', async () => {
    const courier = carrying([1])
    await courier.post('http://127.0.0.1:1/', () => ({ body: '' }))
    expect(courier.deliveries).toEqual([
      { url: 'http://127.0.0.1:1/', status: null },
      { url: 'http://127.0.0.1:1/', status: null },
    ])
    const patient = carrying([1_000_000])
    const posting = patient.post('http://127.0.0.1:1/', () => ({ body: '' }))
    await vi.waitFor(() => expect(patient.deliveries).toHaveLength(1))
    await patient.close()
    await posting
  })
})

describe('a linked document', () => {
  it('is fetched as a PDF or refused with the reason', async () => {
    const replies: EmulatedReply[] = [
      { status: 200, bytes: Buffer.from('%PDF-1.7 /Type/Page /Type /Page /Type/Pages') },
      { status: 403 },
      { status: 200, bytes: Buffer.from('<html>') },
    ]
    const { origin } = await serving(() => replies.shift() ?? 'cut')
    expect(countPdfPages(await fetchLinkedPdf(origin))).toBe(2)
    await expect(fetchLinkedPdf(origin)).rejects.toThrow('answered 403')
    await expect(fetchLinkedPdf(origin)).rejects.toThrow('no PDF')
    await expect(fetchLinkedPdf(origin)).rejects.toThrow('could not be opened')
  })
})
