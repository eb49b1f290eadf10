import { readFileSync } from 'node:fs'
import { serveTcp, tryChecks } from '@faxdeck/provider-kit/testing/try-checks'
import { describe, expect, it } from 'vitest'
import { sip } from './index.ts'

const settings = {
  ami_host: '127.0.0.1',
  ami_username: 'api',
  ami_password: 'own-secret',
  fax_station_id: '+15551234567',
}
/** What a machine with the dialplan of this release answers about it. */
const shipped = /^FAXDECK_DIALPLAN=.+$/m.exec(readFileSync(new URL('./asterisk/faxdeck.conf', import.meta.url), 'utf8'))
const current = `Success\r\nValue: ${shipped?.[0].split('=')[1]}`
const booted = 'Event: FullyBooted\r\nPrivilege: system,all\r\nStatus: Fully Booted\r\n\r\n'

interface Facts {
  received?: string[]
  /** Why it dials nothing. */
  refusal?: string
  /** What it answers when it is asked for a global variable. */
  dialplan?: string
}

/** Asterisk's manager interface as far as a login goes; events come in between. */
function asterisk({ received = [], refusal = 'Channel not specified', dialplan = current }: Facts = {}) {
  return serveTcp((socket) => {
    socket.write('Asterisk Call Manager/13.0.0\r\n')
    let unread = ''
    socket.on('data', (piece) => {
      unread += piece.toString()
      if (!unread.endsWith('\r\n\r\n')) return
      const request = unread
      unread = ''
      received.push(request)
      const id = /^ActionID: (.*)\r$/m.exec(request)?.[1]
      if (request.startsWith('Action: Originate')) {
        socket.write(`Response: Error\r\nActionID: ${id}\r\nMessage: ${refusal}\r\n\r\n`)
        return
      }
      if (request.startsWith('Action: GetVar')) {
        socket.write(`Response: ${dialplan}\r\nActionID: ${id}\r\nVariable: FAXDECK_DIALPLAN\r\n\r\n`)
        return
      }
      const good = /^Username: api\r$/m.test(request) && /^Secret: own-secret\r$/m.test(request)
      const [response, message] = good ? ['Success', 'Authentication accepted'] : ['Error', 'Authentication failed']
      const answer = `Response: ${response}\r\nActionID: ${id}\r\nMessage: ${message}\r\n\r\n`
      // Two messages in one packet, the answer cut in the middle.
      socket.write(booted + answer.slice(0, 12))
      setImmediate(() => (good ? socket.write(answer.slice(12)) : socket.end(answer.slice(12))))
    })
  })
}

describe('the checks of Asterisk', () => {
  it('pass when the login is accepted', async () => {
    const received: string[] = []
    const ami_port = await asterisk({ received })
    const findings = await tryChecks(sip, { ...settings, ami_port, asterisk_inbound_secret: 's' })
    const { folder_usable, numbers_arrive, ...others } = findings
    expect(Object.values(others)).toEqual(Object.values(others).map(() => ({ passed: true })))
    // This Asterisk dials nothing, and knows no functions.
    expect([folder_usable, numbers_arrive]).toEqual(
      Array(2).fill({ passed: false, untried: expect.stringMatching(/^Not run: /) as string }),
    )
    expect(received.map((action) => action.slice(0, 16)).sort()).toEqual([
      'Action: GetVar\r\n',
      'Action: GetVar\r\n',
      'Action: GetVar\r\n',
      ...Array<string>(5).fill('Action: Login\r\nA'),
      'Action: Originat',
    ])
  })

  it('see a user who may not place calls, without placing one', async () => {
    const ami_port = await asterisk({ refusal: 'Permission denied' })
    const findings = await tryChecks(sip, { ...settings, ami_port })
    expect(findings).toMatchObject({ ami_reachable: { passed: true }, ami_may_dial: { passed: false } })
  })

  it.each([
    ['none', 'Success\r\nValue: ', { passed: false }],
    ['an older one', 'Success\r\nValue: 1', { passed: false }],
    [
      'one that this user may not ask for',
      'Error\r\nMessage: Permission denied',
      { passed: false, untried: expect.stringMatching(/^Not run: /) as string },
    ],
  ])('tell the dialplan of this release from %s', async (_which, dialplan, finding) => {
    const { dialplan_current } = await tryChecks(sip, { ...settings, ami_port: await asterisk({ dialplan }) })
    expect(dialplan_current).toMatchObject(finding)
  })

  it('do not take a refused login for a reachable Asterisk', async () => {
    const { ami_reachable } = await tryChecks(sip, { ...settings, ami_port: await asterisk(), ami_password: 'wrong' })
    expect(ami_reachable).toEqual({ passed: false, detail: 'Asterisk refused the AMI user or password.' })
  })

  it('send nothing when a value would begin a header of its own', async () => {
    const received: string[] = []
    const ami_port = await asterisk({ received })
    const ami_username = 'api\r\nAction: Command\r\nCommand: core stop now'
    const { ami_reachable } = await tryChecks(sip, { ...settings, ami_port, ami_username })
    expect(ami_reachable).toEqual({ passed: false, detail: 'The AMI user or password holds a line break.' })
    expect(received).toEqual([])
  })

  it('report that something else answers there', async () => {
    const ami_port = await serveTcp((socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'))
    const { ami_reachable } = await tryChecks(sip, { ...settings, ami_port })
    expect(ami_reachable?.detail).toBe('What answers there is not the manager interface of Asterisk.')
  })

  it('end in time when Asterisk says nothing', async () => {
    const ami_port = await serveTcp((socket) => socket.resume())
    const { ami_reachable } = await tryChecks(sip, { ...settings, ami_port }, { signal: AbortSignal.timeout(50) })
    expect(ami_reachable).toEqual({
      passed: false,
      detail: `Asterisk at 127.0.0.1 port ${ami_port} does not answer.`,
    })
  })

  it('see the default password, a missing station id and a missing secret', async () => {
    expect(await tryChecks(sip, {})).toMatchObject({
      ami_host_set: { passed: false },
      ami_password_not_default: { passed: false },
      ami_reachable: { passed: false, untried: expect.stringMatching(/^Not run: /) as string },
      ami_may_dial: { passed: false, untried: expect.stringMatching(/^Not run: /) as string },
      dialplan_current: { passed: false, untried: expect.stringMatching(/^Not run: /) as string },
      station_id_set: { passed: false },
      asterisk_secret_set: { passed: false },
    })
  })
})
