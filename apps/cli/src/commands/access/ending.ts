import { usageFault } from '../../fault.ts'

const ends = ['keep', 'suspend', 'demote'] as const

/** What becomes of those whom a key or person let in. */
export const endingOptions = {
  issued: { type: 'boolean', help: 'Also revoke the keys that were created or rotated with it.' },
  people: {
    type: 'string',
    value: '<what>',
    choices: ends,
    help: 'What happens to the people who were let in, directly or through others; demote makes them Senders.',
  },
} as const

/** @throws a usage fault for what is not a choice */
export function endingOf({ issued, people = 'keep' }: { issued?: boolean | undefined; people?: string | undefined }) {
  const end = ends.find((each) => each === people)
  if (!end) throw usageFault(`--people is one of ${ends.join(', ')}.`)
  return { issued: issued ? ('revoke' as const) : ('keep' as const), people: end }
}
