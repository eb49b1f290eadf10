import { describe, expect, it } from 'vitest'
import { attemptOf, originateCommand, uuidOf } from './originate.ts'

const attemptId = '0123456789abcdef0123456789abcdef'
const path = '/data/lines/freeswitch/outbox/0123456789abcdef0123456789abcdef.tif'
const settings = {
  freeswitch_gateway_name: 'my_trunk',
  freeswitch_caller_id_number: '+15550000000',
  freeswitch_t38_enable: true,
  freeswitch_ecm: true,
  freeswitch_ring_seconds: 45,
}
const fax = { attemptId, to: '+15551234567' }

describe('the command that dials', () => {
  it('names the call by our attempt', () => {
    expect(originateCommand(fax, settings, path)).toBe(
      'originate {origination_uuid=01234567-89ab-cdef-0123-456789abcdef,origination_nested_vars=true,' +
        'api_hangup_hook=db::insert/faxdeck/01234567-89ab-cdef-0123-456789abcdef/' +
        '2:${fax_success}:${fax_document_transferred_pages}:${answer_epoch}:${hangup_cause}:${fax_image_resolution}:' +
        '${end_epoch}:${hangup_cause_q850}:${sip_term_status}:${sip_invite_failure_status}:${rtp_use_codec_name}:' +
        '${fax_transfer_rate}:${fax_ecm_used}:${fax_t38_status}:${fax_result_text},' +
        'faxdeck_attempt=0123456789abcdef0123456789abcdef,' +
        'ignore_early_media=true,outbound_redirect_fatal=true,originate_timeout=45,fax_enable_t38=true,fax_enable_t38_request=true,fax_use_ecm=true,fax_header=%00,' +
        'origination_caller_id_number=+15550000000,fax_ident=+15550000000}' +
        `sofia/gateway/my_trunk/+15551234567 &txfax(${path})`,
    )
  })

  it('shows the number of the sender', () => {
    const command = originateCommand({ ...fax, from: '+15550000002' }, settings, path)
    expect(command).toContain('origination_caller_id_number=+15550000002,fax_ident=+15550000002')
    const hostile = () => originateCommand({ ...fax, from: '+1555,x=y' }, settings, path)
    expect(hostile).toThrow('dial strings')
  })

  it('follows the settings', () => {
    const digits = {
      ...settings,
      freeswitch_number_form: 'digits',
      freeswitch_t38_enable: false,
      freeswitch_ecm: false,
    }
    const command = originateCommand(fax, digits, path)
    expect(command).toContain('/15551234567 ')
    expect(command).toContain('fax_enable_t38=false,fax_enable_t38_request=false,fax_use_ecm=false')
    expect(originateCommand(fax, { freeswitch_gateway_name: 'g' }, path)).not.toContain('fax_ident')
  })

  it.each(['1555,x=y', '+1555}sofia', "+1'", '+1555 &system(x)', '+1\n\napi fsctl shutdown', ''])(
    'refuses the number %j',
    (to) => {
      expect(() => originateCommand({ attemptId, to }, settings, path)).toThrow('cannot be dialed')
    },
  )

  it.each([
    [{ freeswitch_gateway_name: 'g/1 &system(x)' }, path],
    [{ freeswitch_caller_id_number: '1,x=y' }, path],
    [{}, '/data/a b.tif'],
    [{}, '/data/x) &system(y'],
  ])('refuses settings and paths that mean something in a dial string: %j', (change, pages) => {
    expect(() => originateCommand(fax, { ...settings, ...change }, pages)).toThrow('a meaning')
  })

  it('has the engine print no header line: the pages carry one', () => {
    const command = originateCommand(fax, { ...settings, freeswitch_fax_header: 'Example Clinic' }, path)
    expect(command.match(/\w*header[^,}]*/g)).toEqual(['fax_header=%00'])
  })

  it.each([
    [{ speed: 9600 }, 'fax_enable_t38=true,fax_enable_t38_request=true,fax_use_ecm=true,fax_disable_v17=true,'],
    [{ speed: 14_400 }, 'fax_enable_t38=true,fax_enable_t38_request=true,fax_use_ecm=true,fax_header'],
    [{ ecm: false }, 'fax_enable_t38=true,fax_enable_t38_request=true,fax_use_ecm=false,fax_header'],
    [{ transport: 'audio' }, 'fax_enable_t38=false,fax_enable_t38_request=false,fax_use_ecm=true,fax_header'],
  ] as const)('changes with %j that and nothing else', (call, expected) => {
    expect(originateCommand({ ...fax, call }, settings, path)).toContain(expected)
  })

  it('turns attempts into UUIDs and back', () => {
    expect(attemptOf(uuidOf(attemptId))).toBe(attemptId)
    expect(attemptOf('no uuid')).toBeUndefined()
  })
})
