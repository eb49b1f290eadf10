import { flag, option } from '../../command.ts'
import { oneOf } from '../../fault.ts'

const ends = ['keep', 'suspend', 'demote'] as const

/** What happens to those whom a key or person let in. */
export const endingOptions = {
  issued: flag('Also revoke the keys that were created or rotated with it.'),
  people: option(
    '<what>',
    'What happens to the people who were let in, directly or through others; demote makes them Senders.',
    { choices: ends },
  ),
} as const

/** @throws a usage fault for what is not a choice */
export function endingOf({ issued, people = 'keep' }: { issued?: boolean | undefined; people?: string | undefined }) {
  const end = oneOf(ends, people, `--people is one of ${ends.join(', ')}.`)
  return { issued: issued ? ('revoke' as const) : ('keep' as const), people: end }
}
