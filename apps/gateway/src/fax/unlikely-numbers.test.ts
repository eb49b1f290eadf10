import { describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../testing/start-gateway.ts'

const file = () => new File(['See you on Monday.'], 'letter.txt', { type: 'text/plain' })
/** Dialable, and nobody's: there is no area code 193. */
const nobodys = '(193) 012-3456'
const reason = 'There is no area code 193 in the US.'
const unlikely = {
  status: 422,
  answer: {
    code: 'number_unlikely',
    detail: `${reason} Check the number. To dial it anyway, send allow_unlikely_number=true.`,
    fields: [{ field: 'to', message: reason }],
  },
}
const meant = { allow_unlikely_number: 'true' } as const
const count = async ({ client }: TestGateway) => (await client.listJobs({ query: {} })).total

describe('a number that is most likely nobody’s', () => {
  it('is dialed only when the caller says that it is meant', async () => {
    const gateway = await startGateway()
    const { client } = gateway
    const headers = { 'idempotency-key': 'asked once' }
    await expect(client.submitFax({ form: { to: nobodys, file: file() } }, { headers })).rejects.toMatchObject(unlikely)
    expect(await count(gateway)).toBe(0)
    const sent = await client.submitFax({ form: { to: nobodys, file: file(), ...meant } }, { headers })
    expect(sent.to).toBe('+11930123456')
    // The key answers for what was accepted under it, whatever is said about the number.
    const again = await client.submitFax({ form: { to: '+1 193 012 3456', file: file() } }, { headers })
    expect(again.id).toBe(sent.id)
  })

  it('is refused in a quote, a request, on a separator sheet and in what is sent again', async () => {
    const gateway = await startGateway()
    const { client } = gateway
    const form = { to: nobodys, file: file() }
    await expect(client.quoteFax({ form })).rejects.toMatchObject(unlikely)
    await expect(client.quoteRequest({ form })).rejects.toMatchObject(unlikely)
    await expect(client.requestFax({ form })).rejects.toMatchObject(unlikely)
    await expect(client.printSeparator({ body: { to: nobodys } })).rejects.toMatchObject(unlikely)
    expect((await client.quoteFax({ form: { ...form, ...meant } })).pages).toBe(1)
    expect((await client.quoteRequest({ form: { ...form, ...meant } })).quote_id).not.toBeNull()
    await client.printSeparator({ body: { to: nobodys, allow_unlikely_number: true } })
    const { fax } = await client.requestFax({ form: { ...form, ...meant } })
    const params = { id: fax?.id ?? '' }
    await expect.poll(async () => (await client.getFax({ params })).status, { timeout: 8000 }).toBe('SUCCESS')
    await expect(client.resendFax({ params, body: {} })).rejects.toMatchObject(unlikely)
    await expect(client.resendJob({ params, body: {} })).rejects.toMatchObject(unlikely)
    expect(await count(gateway)).toBe(1)
    const again = await client.resendFax({ params, body: { allow_unlikely_number: true } })
    expect(again.to).toBe('+11930123456')
  })

  it('keeps a whole broadcast back, naming its rows; what no number can be is a row without one', async () => {
    const gateway = await startGateway()
    const { client } = gateway
    const recipients = ['+15555550101', '1930123456', '+1 234 567 890'].join('\n')
    const send = (more: object) => client.createBroadcast({ form: { file: file(), recipients, ...more } })
    await expect(send({})).rejects.toMatchObject({
      answer: {
        code: 'bad_recipients',
        fields: [{ field: 'recipients.3', message: expect.stringContaining('too few digits') as string }],
      },
    })
    const skip_invalid = 'true'
    await expect(send({ skip_invalid })).rejects.toMatchObject({
      status: 422,
      answer: {
        code: 'number_unlikely',
        detail: expect.stringContaining(
          `Nothing was sent: 1 number most likely does not exist. Row 2: ${reason}`,
        ) as string,
        fields: [{ field: 'recipients.2', message: `"+11930123456": ${reason}` }],
      },
    })
    expect(await count(gateway)).toBe(0)
    expect(await send({ skip_invalid, ...meant })).toMatchObject({ faxes: 2, skipped: 1 })
  })

  it('is told from others before anything is sent', async () => {
    const { client } = await startGateway()
    const numbers = ['+15555550101', nobodys, '01930123456', '+44 20 7946 0958', '+441632960000']
    const checked = await client.checkNumbers({ body: { numbers } })
    expect(checked.unlikely).toEqual([
      { to: nobodys, reason },
      { to: '+441632960000', reason: 'No known number in the UK looks like this one.' },
    ])
    expect(checked.invalid).toMatchObject([{ to: '01930123456' }])
  })
})

describe('one number, however it is written', () => {
  it('is one recipient, one group, one filter', async () => {
    const { client } = await startGateway({ env: { INBOUND_LIST_RPM: '0' } })
    const { id } = await client.createGroup({ body: { name: 'Ward 3' } })
    await client.addGroupNumber({ params: { id, number: '(555) 002-0001' } })
    for (const [fr, to] of [
      ['00447911123456', '15550020001'],
      ['+44 (0)7911 123456', '+15550020001'],
      ['anonymous', '5550020001'],
    ])
      await client.simulateInbound({ body: { ...(fr && { fr }), ...(to && { to }), pages: 1 } })
    const received = await client.listInbound({ query: { to_number: '1 (555) 002-0001' } })
    expect(received.map(({ group_id }) => group_id)).toEqual([id, id, id])
    expect(received.map(({ fr, to }) => [fr?.slice(-4), to?.slice(-4)])).toEqual([
      ['mous', '0001'],
      ['3456', '0001'],
      ['3456', '0001'],
    ])
    for (const q of ['+447911123456', '07911 123456', '00447911123456', '011 44 7911 123456'])
      expect(await client.listInbound({ query: { q } }), q).toHaveLength(2)
    await client.submitFax({ form: { to: '011 49 30 901820', file: file() } })
    for (const q of ['+49 30 901820', '030 901820', '0049 30 901820', '011 49 30 901820', '901820'])
      expect(await client.listJobs({ query: { q } }), q).toMatchObject({ total: 1 })
    const { faxes } = await client.listFaxes({ query: { to: '+49 (0)30 901820' } })
    expect(faxes).toMatchObject([{ to: '+4930901820' }])
  })
})
