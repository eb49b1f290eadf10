import { describe, expect, it } from 'vitest'
import { originateHeaders, sipTuning } from './originate.ts'

const settings = { sip_dial_string: 'PJSIP/{number}@trunk', sip_t38: 'auto', sip_ecm: true }
const paths = { pages: '/data/outbox/a.tif', result: '/data/results/a' }

/** The variables that a call is asked for with. */
function variablesOf(call: Parameters<typeof originateHeaders>[0]['call'], change: object = {}) {
  const fax = { attemptId: '0123456789abcdef', to: '+15555550123', ...(call ? { call } : {}) }
  const headers = originateHeaders(fax, { ...settings, ...change }, paths)
  const set = headers.flatMap(([name, value]) => (name === 'Variable' ? [value.split('=') as [string, string]] : []))
  const { FAXDECK_OPTIONS, FAXDECK_ECM, FAXDECK_SPEED, FAXDECK_MODEMS, FAXDECK_BUFFER } = Object.fromEntries(set)
  return { FAXDECK_OPTIONS, FAXDECK_ECM, FAXDECK_SPEED, FAXDECK_MODEMS, FAXDECK_BUFFER }
}

describe('how Asterisk is asked for a call', () => {
  it('is as the settings have it, without a wish', () => {
    const plain = { FAXDECK_ECM: 'yes', FAXDECK_SPEED: undefined, FAXDECK_MODEMS: undefined }
    expect(variablesOf(undefined)).toEqual({ FAXDECK_OPTIONS: 'f', ...plain })
    expect(variablesOf(undefined, { sip_t38: 'off', sip_ecm: false })).toEqual({
      FAXDECK_OPTIONS: 'F',
      ...plain,
      FAXDECK_ECM: 'no',
    })
  })

  it.each([
    [{ speed: 9600 }, { FAXDECK_SPEED: '9600', FAXDECK_MODEMS: String.raw`v29\,v27` }],
    [{ speed: 4800 }, { FAXDECK_SPEED: '4800', FAXDECK_MODEMS: 'v27' }],
    [{ speed: 14_400 }, {}],
    [{ speed: 1 }, {}],
    [{ ecm: false }, { FAXDECK_ECM: 'no' }],
    [{ transport: 'audio' }, { FAXDECK_OPTIONS: 'F' }],
    [{ transport: 't38' }, { FAXDECK_OPTIONS: 'fz' }],
    [{ buffered: true }, { FAXDECK_BUFFER: '120' }],
  ] as const)('changes with %j that and nothing else', (call, change) => {
    expect(variablesOf(call)).toEqual({ ...variablesOf(undefined), ...change })
  })

  it('shows the number of the sender, else that of the line', () => {
    const named = { ...settings, fax_station_id: '+15550000001' }
    const shown = (change: { from?: string }) => {
      const headers = originateHeaders({ attemptId: 'a', to: '+15555550123', ...change }, named, paths)
      return headers.flatMap(([name, value]) => (/CallerID|FAXDECK_STATION/.test(name + value) ? [value] : []))
    }
    expect(shown({})).toEqual(['<+15550000001>', 'FAXDECK_STATION=+15550000001'])
    expect(shown({ from: '+15550000002' })).toEqual(['<+15550000002>', 'FAXDECK_STATION=+15550000002'])
  })

  it('says what can be changed under the settings', () => {
    const transports = ['audio', 't38']
    expect(sipTuning(settings)).toEqual({ speeds: [14_400, 9600, 4800], ecm: true, transports, hasBuffer: true })
    expect(sipTuning({ sip_t38: 'off', sip_ecm: false })).toMatchObject({ ecm: false, transports: ['audio'] })
  })
})
