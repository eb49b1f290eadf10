import {
  type InputOf,
  type ProblemCode,
  type ProblemReply,
  problems,
  type ReplyOf,
  type RouteName,
  type Routes,
  routes,
} from '@faxdeck/contract'

/** What a fake handler answers: the row's reply, or the bytes of a file. */
type FakeReply<Name extends RouteName> = ReplyOf<Routes[Name]> extends Blob ? Uint8Array : ReplyOf<Routes[Name]>

/** Handlers by the name of the call; a wrong input or answer does not compile. */
export type FakeCalls = { [Name in RouteName]?: (input: InputOf<Routes[Name]>) => FakeReply<Name> }

/** An answer that is not a success, as the gateway would give it. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ProblemCode
  readonly fields: ProblemReply['fields']

  constructor(code: ProblemCode, sentence: string = problems[code].sentence, fields?: ProblemReply['fields']) {
    super(sentence)
    this.code = code
    this.fields = fields
  }
}

/** @throws {Refusal} when it is not there */
export function found<Item>(item: Item | undefined, code: ProblemCode): Item {
  if (item === undefined) throw new Refusal(code)
  return item
}

/** @throws {Refusal} when none of them fits */
export const findIn = <Item>(items: readonly Item[], fits: (item: Item) => boolean, code: ProblemCode): Item =>
  found(items.find(fits), code)

/** As far as it is read here, a schema of the contract. */
interface Schema {
  def: { type: string; shape?: Readonly<Record<string, Schema>>; entries?: Readonly<Record<string, unknown>> }
}

const simple: Readonly<Record<string, () => unknown>> = {
  array: () => [],
  record: () => ({}),
  string: () => '',
  number: () => 0,
  boolean: () => false,
}

function least({ def: { type, shape, entries } }: Schema): unknown {
  if (entries) return Object.values(entries)[0]
  if (!shape) return simple[type]?.() ?? null
  const needed = Object.entries(shape).filter(([, each]) => each.def.type !== 'optional')
  return Object.fromEntries(needed.map(([key, each]) => [key, least(each)]))
}

/** The least that a call may answer by its row: null wherever that is allowed, empty lists, and false. */
export const leastReply = <Name extends RouteName>(name: Name) =>
  least(routes[name].reply as unknown as Schema) as ReplyOf<Routes[Name]>
