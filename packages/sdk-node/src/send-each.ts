import { FaxdeckError, GatewayError } from './problems.ts'
import type { Fax } from './shapes.ts'

/** A number that got no fax, and why. */
export interface FailedRecipient {
  to: string
  error: unknown
}

/**
 * Some of several recipients got a fax and others did not. The faxes in `faxes` are on their way. After mending what
 * `failed` says, call `send` again with the same numbers and this `idempotencyKey`: nobody gets a second fax.
 */
export class PartialSendError extends FaxdeckError {
  override name = 'PartialSendError'
  /** Faxes that were accepted, in the order of their numbers. */
  readonly faxes: readonly Fax[]
  readonly failed: readonly FailedRecipient[]
  /** Numbers that were not tried, because what failed before them would have failed again. */
  readonly notTried: readonly string[]
  readonly idempotencyKey: string

  constructor(faxes: Fax[], failed: FailedRecipient[], notTried: string[], idempotencyKey: string) {
    const first = failed[0]
    const why = first?.error instanceof Error ? ` ${first.to}: ${first.error.message}` : ''
    super(`${faxes.length} of ${faxes.length + failed.length + notTried.length} faxes were accepted.${why}`, {
      cause: first?.error,
    })
    this.faxes = faxes
    this.failed = failed
    this.notTried = notTried
    this.idempotencyKey = idempotencyKey
  }
}

/** It is this number that cannot be faxed; the next one may. */
const isOfTheNumber = (error: unknown) => error instanceof GatewayError && error.code === 'bad_number'

/**
 * One fax for each number, in turn. A number that is refused does not keep the others from being sent.
 * @throws {PartialSendError} when some were accepted and some not
 * @throws {FaxdeckError} the first problem, when none was accepted
 */
export async function sendEach(
  numbers: readonly string[],
  key: string,
  submit: (number: string, key: string) => Promise<Fax>,
): Promise<Fax[]> {
  const faxes: Fax[] = []
  const failed: FailedRecipient[] = []
  let tried = 0
  for (const to of numbers) {
    tried++
    try {
      faxes.push(await submit(to, `${key}:${to}`))
    } catch (error) {
      failed.push({ to, error })
      if (!isOfTheNumber(error)) break
    }
  }
  const [first] = failed
  if (!first) return faxes
  if (faxes.length === 0) throw first.error
  throw new PartialSendError(faxes, failed, numbers.slice(tried), key)
}
