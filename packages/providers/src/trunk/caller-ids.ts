import { checkE164 } from '@faxdeck/provider-kit'
import { listItems } from '@faxdeck/settings'

interface CallerIdRule {
  /** A plus sign and the digits that the called number begins with. */
  prefix: string
  number: string
}

export const prefixShape = /^\+\d{1,14}$/

/** Reads `+49=+493012345, +1=+15551234567`. Call it with checked text only. */
export function readCallerIds(text: string | null): CallerIdRule[] {
  return listItems(text).map((item) => {
    const [prefix = '', number = ''] = item.split('=').map((part) => part.trim())
    return { prefix, number }
  })
}

/** Why the rules cannot be used; nothing when they can. */
export function callerIdFault(text: string): string | undefined {
  for (const item of listItems(text)) {
    const [prefix = '', number = ''] = item.split('=').map((part) => part.trim())
    if (item.split('=').length !== 2 || !prefixShape.test(prefix)) {
      return `"${item}" is not PREFIX=NUMBER, for example +49=+493012345.`
    }
    const fault = checkE164(number)
    if (fault !== undefined) return `"${number}": ${fault}`
  }
  return undefined
}

/** The number that a destination sees: that of the longest prefix that fits. */
export function callerIdFor(to: string, rules: readonly CallerIdRule[], usual: string): string {
  const fitting = rules.filter(({ prefix }) => to.startsWith(prefix))
  return fitting.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.number ?? usual
}
