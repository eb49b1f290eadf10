import { shippedFile } from '../../sip/shipped-file.ts'
import type { OwnNumber } from '../numbers.ts'
import { channelsOf, type LinePlan, numbersOf } from '../plan.ts'
import { head } from './conf-file.ts'

/** No fax takes longer: a call that hangs does not hold its channel for good. */
export const longestCallSeconds = 7200

/** The global variable that is 1 while received faxes could not be kept. */
export const fullMark = 'FAXDECK_FULL'

/** Replaces what is there exactly once. @throws {Error} when the shipped dialplan is another than this was written for */
function replaceOnce(text: string, what: RegExp, by: string): string {
  const found = text.match(new RegExp(what.source, `${what.flags}g`))?.length ?? 0
  if (found !== 1) throw new Error(`The shipped dialplan holds ${String(what)} ${found} times.`)
  return text.replace(what, () => by)
}

/** How many calls a trunk carries, those we send and those we receive together. */
const channelLimits = (plan: LinePlan) =>
  `; So many calls at once, sent and received, does each trunk carry.\n${plan.trunks
    .map(({ name, channels }) => `FAXDECK_CHANNELS_${name}=${Math.min(channels, channelsOf(plan))}`)
    .join('\n')}`

const handOver = /(^ same => n,(Set\(CURLOPT|NoOp\(\$\{CURL).*\n)+/m
const needed = /^; Needs the modules .*\n; func_curl.*\n; of SIP;.*\n/m

/**
 * The dialplan that everybody gets, with the values of this line. Received faxes are not posted: the note in the folder
 * and an event say the same, without HTTP and without a secret.
 * @param directory of the line
 */
export function faxdeckConf(plan: LinePlan, directory: string): string {
  const [first] = numbersOf(plan)
  const changes: [RegExp, string][] = [
    [/^FAXDECK_DIR=.*$/m, `FAXDECK_DIR=${directory}`],
    [/^FAXDECK_STATION=.*$/m, `FAXDECK_STATION=${first?.csid ?? ''}\n${channelLimits(plan)}`],
    [/^; Where Faxdeck answers.*\nFAXDECK_URL=.*\nFAXDECK_SECRET=.*\n/m, ''],
    [needed, ''],
    [handOver, ' same => n,UserEvent(FaxdeckReceived,Id: ${UNIQUEID})\n'],
    [/ReceiveFAX\(\$\{FAXDECK_PAGES\},f\)$/m, `ReceiveFAX(\${FAXDECK_PAGES},${plan.t38 === 'off' ? 'F' : 'f'})`],
  ]
  return changes.reduce((text, [what, by]) => replaceOnce(text, what, by), shippedFile('faxdeck.conf'))
}

/** How carriers may write a number of ours when they call it. */
export function spellings({ number }: OwnNumber, { country, national }: LinePlan['dial']): string[] {
  const digits = number.slice(1)
  const rest = country !== null && digits.startsWith(country) ? digits.slice(country.length) : undefined
  const own = rest === undefined ? [] : [rest, `${national}${rest}`]
  return [...new Set([number, digits, `00${digits}`, `011${digits}`, ...own])]
}

/** What a call is for that names an account and no number, on a line without numbers. */
const unknownNumber = '0'

const ring = (seconds: number) => (seconds === 0 ? '' : ` same => n,Ringing()\n same => n,Wait(${seconds})\n`)

/** Where calls of one trunk come in. A carrier that calls the account by its name says the number in the To header. */
function context(plan: LinePlan, { name, user }: LinePlan['trunks'][number]): string {
  const numbers = numbersOf(plan)
  const account = user !== null && /^[A-Za-z0-9._-]+$/.test(user) ? user : undefined
  const known = new Set(numbers.flatMap((own) => spellings(own, plan.dial)))
  const taken = numbers.flatMap((own) =>
    spellings(own, plan.dial).map(
      (spelling) =>
        `exten => ${spelling},1,Set(FAXDECK_STATION=${own.csid})\n same => n,Goto(answer,${own.number},1)\n`,
    ),
  )
  const byHeader = (extension: string) =>
    `exten => ${extension},1,Set(FAXDECK_HEADER=\${PJSIP_HEADER(read,To)})\n` +
    ` same => n,Set(FAXDECK_CALLED=\${FILTER(+0-9,\${CUT(CUT(FAXDECK_HEADER,@,1),:,2)})})\n` +
    ` same => n,GotoIf($["\${FAXDECK_CALLED}" != "" & "\${FAXDECK_CALLED}" != "${extension}"]?from-${name},\${FAXDECK_CALLED},1)\n` +
    ` same => n,Goto(answer,${numbers[0]?.number ?? unknownNumber},1)\n`
  const accounts = ['s', ...(account === undefined || known.has(account) ? [] : [account])]
  return (
    `; ---- Calls that the trunk ${name} brings.\n[from-${name}]\n` +
    `${taken.join('')}${accounts.map(byHeader).join('')}` +
    '; Any other number of the trunk, as the carrier writes it.\n' +
    'exten => _[+0-9]!,1,Goto(answer,${FILTER(+0-9,${EXTEN})},1)\n'
  )
}

export function extensionsConf(plan: LinePlan): string {
  return (
    `${head('What happens to calls.')}[general]\nstatic=yes\nwriteprotect=yes\n\n#include "faxdeck.conf"\n\n` +
    '[answer]\n' +
    '; A call beyond the channels of its trunk is busy (486), as the carrier would say: calls in progress continue. So is\n' +
    '; one whose pages would not fit on the disk.\n' +
    `exten => _[+0-9]!,1,GotoIf($["\${${fullMark}}" = "1"]?full)\n` +
    ' same => n,Set(GROUP()=${CHANNEL(endpoint)})\n' +
    ' same => n,GotoIf($[${GROUP_COUNT(${CHANNEL(endpoint)})} > ${FAXDECK_CHANNELS_${CHANNEL(endpoint)}}]?full)\n' +
    ` same => n,Set(TIMEOUT(absolute)=${longestCallSeconds})\n${ring(plan.answerSeconds)}` +
    ' same => n,Goto(faxdeck-in,${EXTEN},1)\n' +
    ' same => n(full),Hangup(17)\n\n' +
    plan.trunks.map((trunk) => context(plan, trunk)).join('\n')
  )
}
