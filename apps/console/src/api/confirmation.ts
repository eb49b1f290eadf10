/** Asks the person at the console who they are. @returns whether they proved it */
type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/**
 * Lets `next` ask whenever the gateway wants somebody to confirm who they are.
 * @returns a function that ends it
 */
export function onConfirmationAsked(next: Ask): () => void {
  ask = next
  return () => {
    if (ask === next) ask = undefined
  }
}

async function asksToConfirm(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return (problem as { code?: unknown } | undefined)?.code === 'confirmation_required'
}

/**
 * Makes a call, and once more after its person has confirmed who they are, where the gateway asks for that. Calls that
 * are refused at the same time share one question.
 */
export async function withConfirmation(call: () => Promise<Response>): Promise<Response> {
  const response = await call()
  if (!ask || !(await asksToConfirm(response))) return response
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return (await asking) ? call() : response
}

/** Whether a call was given up because its person did not want to confirm. */
export const isGivenUp = (error: { answer?: { code: string } | undefined } | null): boolean =>
  error?.answer?.code === 'confirmation_required'
