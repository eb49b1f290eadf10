import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveTcp, tryChecks } from '@faxdeck/provider-kit/testing/try-checks'
import { afterAll, describe, expect, it } from 'vitest'
import { freeswitch } from './index.ts'

const subscription =
  'event plain BACKGROUND_JOB CHANNEL_ANSWER CHANNEL_HANGUP_COMPLETE CUSTOM spandsp::txfaxresult spandsp::rxfaxresult spandsp::txfaxnegociateresult spandsp::txfaxpageresult spandsp::rxfaxnegociateresult spandsp::rxfaxpageresult\n\n'
const settings = {
  freeswitch_esl_password: 'own-secret',
  freeswitch_gateway_name: 'trunk',
  freeswitch_caller_id_number: '+15551234567',
}

/** What FreeSWITCH answers to an API command that begins like this. */
type Answers = Readonly<Record<string, string>>

const good: Answers = {
  'module_exists mod_db': 'true',
  'module_exists mod_tone_stream': 'true',
  'sofia xmlstatus gateway': '<gateway>',
  'global_getvar faxdeck_dialplan': '2',
  'xml_locate configuration configuration name lua.conf':
    '<hook event="CUSTOM" subclass="spandsp::txfaxresult" script="faxdeck_result.lua"/>',
  'lua faxdeck_result.lua': 'faxdeck hook 2',
}

/** FreeSWITCH's event socket as far as the login and some commands go. */
function freeswitchServer(received: string[] = [], answers: Answers = {}) {
  const known = Object.entries({ ...good, ...answers })
  return serveTcp((socket) => {
    socket.write('Content-Type: auth/request\n\n')
    socket.on('data', (piece) => {
      const request = piece.toString()
      received.push(request)
      if (request.startsWith('api ')) {
        const ofShell = / && echo (\w+)/.exec(request)?.[1]
        const body = known.find(([command]) => request.startsWith(`api ${command}`))?.[1] ?? ofShell ?? '-ERR no reply'
        socket.write(`Content-Type: api/response\nContent-Length: ${body.length}\n\n${body}`)
        return
      }
      const good = ['auth own-secret\n\n', subscription].includes(request)
      socket.write(`Content-Type: command/reply\nReply-Text: ${good ? '+OK accepted' : '-ERR invalid'}\n\n`)
      if (!good) socket.end('Content-Type: text/disconnect-notice\nContent-Length: 0\n\n')
    })
  })
}

const reached = async (port: number, change = {}) =>
  (await tryChecks(freeswitch, { ...settings, freeswitch_esl_port: port, ...change })).esl_reachable

describe('the checks of FreeSWITCH', () => {
  const find = async (answers: Answers = {}) =>
    tryChecks(freeswitch, { ...settings, freeswitch_esl_port: await freeswitchServer([], answers) }, { directory })
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-checks-'))
  mkdirSync(join(directory, 'outbox'))
  afterAll(() => rm(directory, { recursive: true }))

  it('pass when the password is accepted and everything is as the page for operators says', async () => {
    const findings = await find({ 'global_getvar faxdeck_dir': directory })
    expect(Object.values(findings)).toEqual(Object.values(findings).map(() => ({ passed: true })))
  })

  it.each<[string, Answers, string, string?]>([
    ['forgets how calls ended', { 'module_exists mod_db': 'false' }, 'ends_remembered'],
    ['plays no silence', { 'module_exists mod_tone_stream': 'false' }, 'silence_playable'],
    ['has no dialplan', { 'global_getvar faxdeck_dialplan': '-ERR no reply' }, 'dialplan_current'],
    ['has an older dialplan', { 'global_getvar faxdeck_dialplan': '1' }, 'dialplan_current'],
    ['runs an older hook', { 'lua faxdeck_result.lua': '-ERR Cannot execute' }, 'hook_current'],
    [
      'writes elsewhere, as a comment told it to',
      { 'global_getvar faxdeck_dir': '/path/to/faxdata/lines/freeswitch' },
      'dialplan_folder',
      'faxdeck_dir is /path/to/faxdata/lines/freeswitch, and the shared folder is ',
    ],
    ['may not read the pages', { 'system test -r': '-ERR no reply' }, 'folder_usable', 'cannot read'],
    ['may not write into the inbox', { 'system test -w': '-ERR no reply' }, 'folder_usable', 'cannot write'],
  ])('see that FreeSWITCH %s', async (_what, answers, check, detail = '') => {
    const { [check]: finding, ...others } = await find({ 'global_getvar faxdeck_dir': directory, ...answers })
    expect(finding).toMatchObject({ passed: false })
    expect(finding?.untried).toBeUndefined()
    expect(finding?.detail ?? '').toContain(detail)
    expect(Object.values(others)).toEqual(Object.values(others).map(() => ({ passed: true })))
  })

  it.each<[Answers, string]>([
    [{ 'xml_locate configuration configuration name lua.conf': '<configuration/>' }, 'hook_current'],
    [{ 'system test': '+OK' }, 'folder_usable'],
    [{ 'global_getvar faxdeck_dir': '-ERR no reply' }, 'dialplan_folder'],
  ])('claim nothing where FreeSWITCH does not say: %j', async (answers, check) => {
    expect((await find(answers))[check]).toEqual({
      passed: false,
      untried: expect.stringMatching(/^Not run: /) as string,
    })
  })

  it('do not take a refused password for a reachable FreeSWITCH', async () => {
    const finding = await reached(await freeswitchServer(), { freeswitch_esl_password: 'wrong' })
    expect(finding).toEqual({ passed: false, detail: 'FreeSWITCH refused the ESL password.' })
  })

  it('report that the access list turns this machine away', async () => {
    const port = await serveTcp((socket) =>
      socket.end('Content-Type: text/rude-rejection\nContent-Length: 24\n\nAccess Denied, go away.\n'),
    )
    expect((await reached(port))?.detail).toBe(
      'FreeSWITCH turned this machine away: its access list does not permit it.',
    )
  })

  it('send nothing when the password would begin a command of its own', async () => {
    const received: string[] = []
    const finding = await reached(await freeswitchServer(received), {
      freeswitch_esl_password: 'x\n\nbgapi fsctl shutdown',
    })
    expect(finding).toEqual({ passed: false, detail: 'The ESL password holds a line break.' })
    expect(received).toEqual([])
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
