import { stripNumber } from '@faxdeck/contract/phone'
import { Refusal } from '../fake-calls.ts'

/** Those whose North American area code begins with 0 or 1, as none does. The gateway knows all countries. */
export const fakeDoubts = (numbers: readonly string[]) =>
  numbers.flatMap((to) => {
    const [, area] = /^(?:\+?1)?([01]\d\d)\d{7}$/.exec(stripNumber(to)) ?? []
    return area === undefined ? [] : [{ to, reason: `There is no area code ${area} in the US.` }]
  })

/** @throws {Refusal} `number_unlikely` */
export function refuseUnlikely(to: string): void {
  const [doubt] = fakeDoubts([to])
  if (doubt) throw new Refusal('number_unlikely', doubt.reason, [{ field: 'to', message: doubt.reason }])
}
