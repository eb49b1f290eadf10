import { describe, expect, it } from 'vitest'
import { onlyNamedInside } from './named-inside.ts'

const reached = () => Promise.resolve(new Response('reached'))
const asking = (values: (string | null)[]) => onlyNamedInside(reached, values)

describe('a fetch that stays where settings point', () => {
  it.each([
    'http://127.0.0.1:9000/x',
    'http://localhost:9000/',
    'http://[::1]:9000/',
    'http://10.0.0.5/',
    'http://192.168.1.2:81/',
  ])('goes to %s only when a setting names it', async (url) => {
    await expect(asking([null, 'https://api.example.com'])(url)).rejects.toMatchObject({ code: 'FETCH_REFUSED' })
    const { origin } = new URL(url)
    expect((await asking([`${origin}/v3`])(url)).status).toBe(200)
    await expect(asking([`${origin.replace(/:\d+$/, '')}:7777`])(url)).rejects.toThrow('no setting names')
  })

  it('goes to public names and addresses as before, and understands a host without scheme', async () => {
    expect((await asking([])('https://api.example.com/')).status).toBe(200)
    expect((await asking([])('https://93.184.216.34/')).status).toBe(200)
    expect((await asking(['10.0.0.5'])('https://10.0.0.5/')).status).toBe(200)
  })
})
