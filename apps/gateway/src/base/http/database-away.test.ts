import { type RouteRow, routes } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { newPostgresDatabase, waitForPostgres } from '../../testing/databases.ts'
import { faultyWay } from '../../testing/faulty-way.ts'
import { startGateway } from '../../testing/start-gateway.ts'

const id = 'a'.repeat(32)
const readings = Object.values(routes)
  .filter((row: RouteRow) => row.method === 'GET')
  .map(({ path }) => path.replace(/:n\b/, '1').replace(/:\w+/g, id))

async function gatewayOverFaultyWay() {
  const way = await faultyWay(await newPostgresDatabase())
  const { app, key } = await startGateway({ env: { DATABASE_URL: way.url } })
  const ask = async (url: string, how: object = {}) => {
    const answer = await app.inject({ url, headers: { host: '127.0.0.1:8080', 'x-api-key': key }, ...how })
    const code = answer.statusCode === 503 ? String(answer.json().code ?? answer.json().status) : ''
    return { status: answer.statusCode, code, retryAfter: answer.headers['retry-after'] }
  }
  const submit = () => {
    const payload =
      '--x\r\nContent-Disposition: form-data; name="to"\r\n\r\n+15555550123\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n'
    const headers = { host: '127.0.0.1:8080', 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=x' }
    return ask('/fax', { method: 'POST', headers, payload })
  }
  await expect.poll(async () => (await ask('/health/ready')).status, { timeout: 20_000 }).toBe(200)
  return { way, ask, submit }
}

describe('while PostgreSQL cannot be reached', () => {
  waitForPostgres()

  it('every call is answered, with 503 and when to come again where it needs the database', async () => {
    const { way, ask, submit } = await gatewayOverFaultyWay()
    way.cut()
    await expect.poll(async () => (await ask('/admin/health-status')).status, { timeout: 20_000 }).toBe(503)
    const answers = await Promise.all(readings.map(async (url) => ({ url, ...(await ask(url)) })))
    expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([])
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(10)
    expect(new Set(refused.map(({ code, retryAfter }) => `${code} ${retryAfter}`))).toEqual(
      new Set(['database_unavailable 2']),
    )
    expect(await ask('/health')).toMatchObject({ status: 200 })
    expect(await ask('/health/ready')).toMatchObject({ status: 503, code: 'not_ready' })
    expect(await submit()).toEqual({ status: 503, code: 'database_unavailable', retryAfter: '2' })
    way.mend()
    await expect.poll(async () => (await submit()).status, { timeout: 20_000 }).toBe(202)
  })

  it('nobody waits for one that hangs', async () => {
    const { way, ask, submit } = await gatewayOverFaultyWay()
    way.freeze()
    const answers = await Promise.all([submit(), ask(`/admin/fax-jobs/${id}`), submit()])
    expect(answers.map(({ status, retryAfter }) => [status, retryAfter])).toEqual(Array(3).fill([503, '2']))
    expect(await ask('/health/ready')).toMatchObject({ status: 503 })
    way.mend()
    await expect.poll(async () => (await submit()).status, { timeout: 20_000 }).toBe(202)
  })
})
