import { checkHost } from '@faxdeck/provider-kit'
import { addressRanges, listItems } from '@faxdeck/settings'
import { prefixShape } from './caller-ids.ts'
import { numbersFault, type OwnNumber, readNumbers } from './numbers.ts'

/** One trunk of a carrier. */
export interface Trunk {
  /** Names it in the configuration and to people. */
  name: string
  /** Host, with a port where it is not the usual one. */
  host: string
  user: string | null
  password: string | null
  /** The numbers that ring here; the first is its caller ID. */
  numbers: readonly OwnNumber[]
  /** Destinations it serves; empty: all. */
  prefixes: readonly string[]
  channels: number
  signIn: 'register' | 'ip'
  /** Addresses and networks that the carrier calls from, besides its host. */
  match: readonly string[]
}

const nameShape = /^[a-z][a-z0-9-]{0,23}$/
const keys = ['host', 'user', 'numbers', 'to', 'channels', 'sign_in', 'match']

interface Item {
  name: string
  values: ReadonlyMap<string, string>
  strange: string | undefined
}

/** A value ends where the next `key=` begins, so that lists and station ids may hold spaces. */
function readItem(text: string): Item {
  const [head = '', ...rest] = text.trim().split(new RegExp(`\\s+(?=(?:${keys.join('|')})=)`))
  const [name = '', strange] = head.split(/\s+/, 2)
  const pairs = rest.map(
    (part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1).trim()] as const,
  )
  return { name, values: new Map(pairs), strange }
}

const itemsOf = (text: string) =>
  text
    .split(';')
    .filter((item) => item.trim() !== '')
    .map(readItem)

function itemFault({ name, values, strange }: Item): string | undefined {
  if (!nameShape.test(name) || name === 'main') {
    return `"${name}" cannot name a trunk: use lower-case letters, digits and hyphens, and not "main".`
  }
  if (strange !== undefined) return `"${strange}" is not understood. Use ${keys.map((key) => `${key}=`).join(', ')}.`
  const host = values.get('host')
  if (host === undefined) return `The trunk ${name} has no host=.`
  const channels = values.get('channels') ?? '2'
  const faults = [
    checkHost(host.replace(/:\d{1,5}$/, '')),
    /^[!-~]{1,80}$/.test(values.get('user') ?? 'x') ? undefined : 'user= may not hold spaces.',
    numbersFault(values.get('numbers') ?? ''),
    listItems(values.get('to') ?? null).every((prefix) => prefixShape.test(prefix))
      ? undefined
      : 'to= takes prefixes such as +1, +44.',
    /^\d{1,3}$/.test(channels) && Number(channels) >= 1 && Number(channels) <= 200
      ? undefined
      : 'channels= is a number from 1 to 200.',
    ['register', 'ip'].includes(values.get('sign_in') ?? 'ip') ? undefined : 'sign_in= is register or ip.',
    addressRanges(values.get('match') ?? ''),
  ]
  const fault = faults.find((each) => each !== undefined)
  return fault === undefined ? undefined : `In the trunk ${name}: ${fault}`
}

/** Why further trunks cannot be used as written; nothing when they can. */
export function moreTrunksFault(text: string): string | undefined {
  const items = itemsOf(text)
  const twice = items.find(({ name }, index) => items.findIndex((other) => other.name === name) < index)
  if (twice) return `Two trunks are named ${twice.name}.`
  return items.map(itemFault).find((fault) => fault !== undefined)
}

export function passwordsFault(text: string): string | undefined {
  return text.split(/\s+/).every((part) => /^[a-z][a-z0-9-]{0,23}=./.test(part))
    ? undefined
    : 'Write NAME=PASSWORD for each trunk, separated by spaces. A password cannot hold a space here.'
}

/** Reads further trunks. Call it with checked text only. */
export function readMoreTrunks(text: string | null, passwords: string | null): Trunk[] {
  const secrets = new Map(
    (passwords ?? '').split(/\s+/).map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  )
  return itemsOf(text ?? '').map(({ name, values }) => ({
    name,
    host: values.get('host') ?? '',
    user: values.get('user') ?? null,
    password: secrets.get(name) ?? null,
    numbers: readNumbers(values.get('numbers') ?? null),
    prefixes: listItems(values.get('to') ?? null),
    channels: Number(values.get('channels') ?? 2),
    signIn: values.get('sign_in') === 'ip' || !values.has('user') ? 'ip' : 'register',
    match: listItems(values.get('match') ?? null),
  }))
}
