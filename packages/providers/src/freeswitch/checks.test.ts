import { serveTcp, tryChecks } from '@faxdeck/provider-kit/testing/try-checks'
import { describe, expect, it } from 'vitest'
import { freeswitch } from './index.ts'

const subscription =
  'event plain BACKGROUND_JOB CHANNEL_HANGUP_COMPLETE CUSTOM spandsp::txfaxresult spandsp::rxfaxresult\n\n'
const settings = {
  freeswitch_esl_password: 'own-secret',
  freeswitch_gateway_name: 'trunk',
  freeswitch_caller_id_number: '+15551234567',
}

/** FreeSWITCH's event socket as far as the login goes. */
function freeswitchServer(heard: string[] = [], remembers = true) {
  return serveTcp((socket) => {
    socket.write('Content-Type: auth/request\n\n')
    socket.on('data', (piece) => {
      heard.push(piece.toString())
      if (piece.toString().startsWith('api module_exists mod_db')) {
        socket.write(`Content-Type: api/response\nContent-Length: ${String(remembers).length}\n\n${remembers}`)
        return
      }
      if (piece.toString().startsWith('api sofia')) {
        socket.write('Content-Type: api/response\nContent-Length: 10\n\n<gateway>\n')
        return
      }
      const good = ['auth own-secret\n\n', subscription].includes(piece.toString())
      socket.write(`Content-Type: command/reply\nReply-Text: ${good ? '+OK accepted' : '-ERR invalid'}\n\n`)
      if (!good) socket.end('Content-Type: text/disconnect-notice\nContent-Length: 0\n\n')
    })
  })
}

const reached = async (port: number, change = {}) =>
  (await tryChecks(freeswitch, { ...settings, freeswitch_esl_port: port, ...change })).esl_reachable

describe('the checks of FreeSWITCH', () => {
  it('pass when the password is accepted', async () => {
    const findings = await tryChecks(freeswitch, { ...settings, freeswitch_esl_port: await freeswitchServer() })
    expect(Object.values(findings)).toEqual(Object.values(findings).map(() => ({ passed: true })))
  })

  it('see that FreeSWITCH forgets how calls ended', async () => {
    const findings = await tryChecks(freeswitch, {
      ...settings,
      freeswitch_esl_port: await freeswitchServer([], false),
    })
    expect(findings).toMatchObject({ esl_reachable: { passed: true }, ends_remembered: { passed: false } })
  })

  it('do not take a refused password for a reachable FreeSWITCH', async () => {
    const finding = await reached(await freeswitchServer(), { freeswitch_esl_password: 'wrong' })
    expect(finding).toEqual({ passed: false, detail: 'FreeSWITCH refused the ESL password.' })
  })

  it('tell that the access list turns this machine away', async () => {
    const port = await serveTcp((socket) =>
      socket.end('Content-Type: text/rude-rejection\nContent-Length: 24\n\nAccess Denied, go away.\n'),
    )
    expect((await reached(port))?.detail).toBe(
      'FreeSWITCH turned this machine away: its access list does not permit it.',
    )
  })

  it('send nothing when the password would begin a command of its own', async () => {
    const heard: string[] = []
    const finding = await reached(await freeswitchServer(heard), {
      freeswitch_esl_password: 'x\n\nbgapi fsctl shutdown',
    })
    expect(finding).toEqual({ passed: false, detail: 'The ESL password holds a line break.' })
    expect(heard).toEqual([])
  })

  it('see the shipped password and a missing gateway', async () => {
    expect(await tryChecks(freeswitch, { freeswitch_esl_port: 1 })).toMatchObject({
      esl_password_not_default: { passed: false },
      gateway_name_set: { passed: false },
      caller_id_set: { passed: false },
      esl_reachable: {
        passed: false,
        detail: 'FreeSWITCH cannot be reached at 127.0.0.1 port 1: nothing listens there.',
      },
    })
  })
})
