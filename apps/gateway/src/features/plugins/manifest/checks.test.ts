import { serveHttp, tryChecks } from '@faxdeck/provider-kit/testing/try-checks'
import { describe, expect, it } from 'vitest'
import { acmeManifest, acmeSettings } from '../testing/acme.ts'
import { readManifest } from './manifest.ts'
import { providerOf } from './provider.ts'

type Made = ReturnType<typeof acmeManifest>

/** The finding of the check that asks the service, which really answers. */
async function askedOf(
  answer: Parameters<typeof serveHttp>[0],
  settings: object = acmeSettings,
  change: (manifest: Made) => void = () => undefined,
) {
  const origin = await serveHttp(answer)
  const manifest = acmeManifest(origin)
  change(manifest)
  const acme = providerOf(readManifest(manifest, { allowLoopback: true }))
  return (await tryChecks(acme, { ...acmeSettings, ...settings }, { origin })).account_answers
}

describe('the check of a service behind a manifest', () => {
  it('asks about a fax that nobody has sent, with the credentials', async () => {
    const asked: string[] = []
    const finding = await askedOf((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"no such fax"}')
    })
    expect(finding).toEqual({ passed: true })
    expect(asked).toEqual([expect.stringMatching(/^GET .*faxdeck-check/)])
  })

  it('tells refused credentials from a page, a fault and silence', async () => {
    expect(await askedOf((_, response) => response.writeHead(401).end('{}'))).toEqual({
      passed: false,
      detail: expect.stringMatching(/refused the credentials \(401\)/) as unknown,
    })
    const page = await askedOf((_, response) => response.end('<!doctype html><title>Sign in</title>'))
    expect(page?.instead?.hint).toMatch(/sign-in page of a network/)
    const fault = await askedOf((_, response) => response.writeHead(500).end())
    expect(fault?.instead?.hint).toMatch(/reports an internal error/)
    const cut = await askedOf((request) => request.socket.destroy())
    expect(cut?.instead?.hint).toMatch(/is cut before an answer arrives/)
  })

  it('looks only whether somebody is there when nothing can be asked without sending', async () => {
    const asked: unknown[] = []
    const finding = await askedOf(
      (request, response) => {
        asked.push([request.method, request.url, request.headers.authorization])
        response.end('<html>Welcome</html>')
      },
      {},
      (manifest) => Reflect.deleteProperty(manifest.actions, 'get_status'),
    )
    expect(finding).toEqual({ passed: true })
    expect(asked).toEqual([['GET', '/', undefined]])
  })
})
