import type { InputOf, ReplyOf, RouteName, Routes } from '@faxdeck/contract'

/** What a fake handler answers: the row's reply, or the bytes of a file. */
type FakeReply<Name extends RouteName> = ReplyOf<Routes[Name]> extends Blob ? Uint8Array : ReplyOf<Routes[Name]>

/** Handlers by the name of the call; a wrong input or answer does not compile. */
export type FakeCalls = { [Name in RouteName]?: (input: InputOf<Routes[Name]>) => FakeReply<Name> }
