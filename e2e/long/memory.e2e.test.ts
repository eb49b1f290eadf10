import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  callbackToken,
  phaxioForm,
  postForm,
  publicUrl,
} from '../../apps/gateway/src/inbox/callbacks/testing/phaxio-form.ts'
import { type GatewayProcess, prepareGateway, unlimited } from '../harness/gateway-process.ts'
import { mayGroup, memoryGroup } from '../harness/memory-group.ts'
import { waitFor } from '../harness/wait.ts'

/** Pages of gray noise, which nothing can compress. @param side pixels */
function noisyPdf(pages: number, side: number): Buffer {
  const parts: Buffer[] = []
  const offsets: number[] = []
  const size = () => parts.reduce((sum, { length }) => sum + length, 0)
  const put = (text: string | Buffer) => void parts.push(Buffer.from(text))
  const object = (head: string, stream?: string | Buffer) => {
    offsets.push(size())
    put(`${offsets.length} 0 obj\n${head}\n`)
    if (stream !== undefined) for (const text of ['stream\n', stream, '\nendstream\n']) put(text)
    put('endobj\n')
  }
  put('%PDF-1.4\n')
  const kids = Array.from({ length: pages }, (_, n) => `${3 + n * 3} 0 R`).join(' ')
  object('<</Type/Catalog/Pages 2 0 R>>')
  object(`<</Type/Pages/Kids[${kids}]/Count ${pages}>>`)
  for (let page = 0; page < pages; page += 1) {
    const at = 3 + page * 3
    const content = 'q 612 0 0 792 0 0 cm /I Do Q'
    const noise = deflateSync(randomBytes(side * side), { level: 1 })
    const image = `/Subtype/Image/Width ${side}/Height ${side}/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode`
    object(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${at + 1} 0 R/Resources<</XObject<</I ${at + 2} 0 R>>>>>>`,
    )
    object(`<</Length ${content.length}>>`, content)
    object(`<</Type/XObject${image}/Length ${noise.length}>>`, noise)
  }
  const table = size()
  put(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n`)
  for (const offset of offsets) put(`${String(offset).padStart(10, '0')} 00000 n \n`)
  put(`trailer<</Size ${offsets.length + 1}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF`)
  return Buffer.concat(parts)
}

/** Sends a document as a caller does that comes again when it is told to. @returns the id of the fax */
async function post(gateway: GatewayProcess, bytes: Buffer, to: string): Promise<string> {
  for (;;) {
    const body = new FormData()
    body.append('to', to)
    body.append('file', new Blob([new Uint8Array(bytes)]), 'scan.pdf')
    const answer = await fetch(`${gateway.url}/fax`, { method: 'POST', headers: { 'x-api-key': gateway.key }, body })
    if (answer.status === 202) return ((await answer.json()) as { id: string }).id
    expect(answer.status).toBe(503)
    const after = Number(answer.headers.get('retry-after'))
    expect(after).toBeGreaterThan(0)
    await answer.body?.cancel()
    await sleep(after * 1000)
  }
}

/** A gateway that a control group gives a gigabyte. */
async function startInGroup(env: Record<string, string>) {
  const group = memoryGroup(1024)
  const gateway = await prepareGateway({ env: { ...unlimited, ...env } })
  onTestFinished(async () => {
    await gateway.remove()
    await sleep(500)
    group.remove()
  })
  gateway.spawn()
  group.take(gateway.pid)
  await gateway.ready()
  return { group, gateway }
}

const receiving = {
  INBOUND_ENABLED: 'true',
  PHAXIO_API_KEY: 'k',
  PHAXIO_API_SECRET: 's',
  PHAXIO_CALLBACK_TOKEN: callbackToken,
  PUBLIC_API_URL: publicUrl,
}

describe.runIf(mayGroup())('in a control group of 1 GB', () => {
  it.each([
    ['20 of 9.8 MB', 20, () => noisyPdf(2, 2265), {}],
    ['100 of 1 MB', 100, () => noisyPdf(1, 1000), {}],
    ['one of 39 MB', 1, () => noisyPdf(8, 2265), { MAX_FILE_SIZE_MB: '50' }],
  ] as const)(
    'uploads that arrive at once kill nothing, and each that was accepted is delivered: %s',
    async (_what, count, make, env) => {
      const { group, gateway } = await startInGroup(env)
      const document = make()
      const numbers = Array.from({ length: count }, (_, n) => `+1555${1_000_000 + n}`)
      const ids = await Promise.all(numbers.map((to) => post(gateway, document, to)))
      for (const id of ids) {
        await waitFor(
          'its delivery',
          async () => ((await gateway.client.getJob({ params: { id } })).status === 'SUCCESS' ? true : undefined),
          900,
        )
      }
      expect(group.kills()).toBe(0)
      expect(group.peak()).toBeLessThanOrEqual(1024)
    },
    1_800_000,
  )
  it('ten faxes of 9.8 MB that are received at once kill nothing, and all are there', async () => {
    const { group, gateway } = await startInGroup(receiving)
    const document = noisyPdf(2, 2265)
    const port = Number(new URL(gateway.url).port)
    const bring = async (n: number) => {
      const fax = { id: 1000 + n, direction: 'received', status: 'success' }
      const form = phaxioForm('/phaxio-inbound', fax, document)
      for (;;) {
        const { status, retryAfter } = await postForm(port, form)
        if (status === 200) return
        expect(status).toBe(503)
        await sleep(Math.max(1, retryAfter) * 1000)
      }
    }
    await Promise.all(Array.from({ length: 10 }, (_, n) => bring(n)))
    const read = () => gateway.client.listInbound({ query: {} })
    const whole = async () => ((await read()).filter(({ pages }) => pages === 2).length === 10 ? true : undefined)
    await waitFor('ten received faxes', whole, 600)
    expect(group.kills()).toBe(0)
  }, 1_800_000)
})
