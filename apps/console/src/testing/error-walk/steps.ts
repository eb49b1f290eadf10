import { fireEvent, screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { World } from '../../demo/world.ts'

type Step = string | ((user: UserEvent) => Promise<unknown>)

/** How a person comes to a call. */
export interface Way {
  place: string
  /** Makes the world in which the call is made; answers what is open on the screen. */
  world?: (world: World) => string | undefined
  /** The words that a search has led here by. */
  find?: string
  /** Names of the buttons that are pressed, in order; the last of a name when it stands there more than once. */
  steps?: readonly Step[]
  /** What the screen calls the failure, where it is not the row's own sentence. */
  what?: string
  /** What the gateway refuses of it stands at the field that it is about, in the gateway's words alone. */
  refusedAtField?: true
  /** Looks for what a person sees where it is no notice; throws until it is there. */
  shows?: (why: string) => unknown
  /** The call is made before there is a screen: the whole console is shown. */
  gate?: true
  /** The call is made with another key than the person's: its refusal ends no session. */
  anotherKey?: true
}

export const fold = (title: string) => async (user: UserEvent) =>
  user.click(await screen.findByRole('heading', { name: title }))
export const enter = (label: string, value: string) => async () =>
  fireEvent.change(await screen.findByLabelText(label, { exact: true, selector: 'input, textarea' }), {
    target: { value },
  })
export const upload = async (user: UserEvent) =>
  user.upload(await screen.findByLabelText('Document'), new File(['Hello'], 'hello.txt', { type: 'text/plain' }))

export const uploadScan = async (user: UserEvent) =>
  user.upload(await screen.findByLabelText('Document'), new File(['%PDF-1.4'], 'scan.pdf', { type: 'application/pdf' }))
export const split = async (user: UserEvent) => user.click(await screen.findByLabelText('Split at separator sheets'))

export const command = (line: string) => async (user: UserEvent) => user.type(await screen.findByRole('textbox'), line)
export const choose = (label: string, choice: string) => async (user: UserEvent) =>
  user.selectOptions(await screen.findByLabelText(label), choice)
export const open = (name: RegExp) => async (user: UserEvent) => user.click(await screen.findByRole('button', { name }))
export const tick = (name: RegExp) => async (user: UserEvent) =>
  user.click(await screen.findByRole('checkbox', { name }))
