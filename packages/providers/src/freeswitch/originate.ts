import { type CallTuning, type OutgoingFax, ProviderProblem, type ProviderSettings } from '@faxdeck/provider-kit'

const numberShape = /^\+?\d{3,15}$/
const gatewayShape = /^[\w.-]{1,64}$/
const pathShape = /^[\w./@+:-]+$/

/** Our attempt as the UUID of its call. */
export function uuidOf(attemptId: string): string {
  return attemptId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The attempt of a call of ours; undefined for what is no UUID. */
export function attemptOf(uuid: string): string | undefined {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid) ? uuid.replaceAll('-', '') : undefined
}

/** Where FreeSWITCH keeps what it is asked to remember (mod_db): on its disk, also over a restart. */
export const noteOf = (uuid: string): string => `faxdeck/${uuid}`

/** What a note holds, by the variables of its call. The words come last, as they may hold a colon. */
export const noted = [
  'fax_success',
  'fax_document_transferred_pages',
  'answer_epoch',
  'hangup_cause',
  'fax_image_resolution',
  'end_epoch',
  'hangup_cause_q850',
  'sip_term_status',
  'sip_invite_failure_status',
  'rtp_use_codec_name',
  'fax_transfer_rate',
  'fax_ecm_used',
  'fax_t38_status',
  'fax_result_text',
] as const
/** What a note of these begins with. */
export const notedAs = '2:'

/** FreeSWITCH runs this when a call of ours is over, and fills in the variables then. */
const noteCommand = (uuid: string) =>
  `db::insert/${noteOf(uuid)}/${notedAs}${noted.map((name) => `\${${name}}`).join(':')}`

/** What of a call can be changed. FreeSWITCH can leave out its fastest modem, and no other. */
export const freeswitchTuning = (settings: ProviderSettings): CallTuning => ({
  speeds: [14_400, 9600],
  ecm: settings.freeswitch_ecm !== false,
  transports: settings.freeswitch_t38_enable === false ? ['audio'] : ['audio', 't38'],
  hasBuffer: false,
})

/** The variables of the fax application, as the settings and this call have them. */
function faxVariables({ call = {} }: Pick<OutgoingFax, 'call'>, settings: ProviderSettings): Record<string, string> {
  const { ecm, transports } = freeswitchTuning(settings)
  const t38 = String(call.transport === undefined ? transports.includes('t38') : call.transport === 't38')
  return {
    fax_enable_t38: t38,
    fax_enable_t38_request: t38,
    fax_use_ecm: String(call.ecm ?? ecm),
    ...(call.speed === 9600 ? { fax_disable_v17: 'true' } : {}),
  }
}

/**
 * The command that dials and then sends. The engine is asked to print no header line: the pages carry ours.
 * @param pagesPath as FreeSWITCH sees it
 * @throws {ProviderProblem} `bad_number`, or `rejected` for settings and paths that would mean something in a dial string
 */
export function originateCommand(
  fax: Pick<OutgoingFax, 'attemptId' | 'to' | 'from' | 'call'>,
  settings: ProviderSettings,
  pagesPath: string,
): string {
  if (!numberShape.test(fax.to)) throw new ProviderProblem('bad_number', 'The number cannot be dialed.')
  const gateway = String(settings.freeswitch_gateway_name)
  const caller = fax.from ?? String(settings.freeswitch_caller_id_number ?? '')
  if (!gatewayShape.test(gateway) || !(caller === '' || numberShape.test(caller)) || !pathShape.test(pagesPath)) {
    const sentence =
      'The gateway name, the caller id or the path of the data directory holds a character that dial strings give a meaning.'
    throw new ProviderProblem('rejected', sentence)
  }
  const number = settings.freeswitch_number_form === 'digits' ? fax.to.replace('+', '') : fax.to
  const uuid = uuidOf(fax.attemptId)
  const variables: Record<string, string> = {
    origination_uuid: uuid,
    // Without it no value may name a variable.
    origination_nested_vars: 'true',
    api_hangup_hook: noteCommand(uuid),
    faxdeck_attempt: fax.attemptId,
    ignore_early_media: 'true',
    // A trunk may send a call elsewhere (302): nobody chose that number.
    outbound_redirect_fatal: 'true',
    originate_timeout: String(Number(settings.freeswitch_ring_seconds ?? 60)),
    ...faxVariables(fax, settings),
    // Without a value the engine prints a line of its own. Read from its URL form this one is empty.
    fax_header: '%00',
    ...(caller ? { origination_caller_id_number: caller, fax_ident: caller.slice(0, 20) } : {}),
  }
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  return `originate {${set.join(',')}}sofia/gateway/${gateway}/${number} &txfax(${pagesPath})`
}
