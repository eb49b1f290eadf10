import { CallProblem } from '@faxdeck/contract'
import { type ExitCode, exitCodes } from './exit-codes.ts'

/** Why a command ends without success: one sentence that says what to do, and the code it ends with. */
export class Fault extends Error {
  override name = 'Fault'
  readonly exitCode: ExitCode
  /** The gateway's word for it, where the gateway refused. */
  readonly code: string | undefined
  /** Names the request in the gateway's log. */
  readonly requestId: string | undefined

  constructor(
    sentence: string,
    exitCode: ExitCode = exitCodes.failed,
    from: { code?: string; requestId?: string } = {},
  ) {
    super(sentence)
    this.exitCode = exitCode
    this.code = from.code
    this.requestId = from.requestId
  }
}

/** The command was not given what it needs. */
export const usageFault = (sentence: string) => new Fault(sentence, exitCodes.usage)

/** @throws {Fault} when an option was not given */
export function required(given: string | undefined, option: string): string {
  if (!given?.trim()) throw usageFault(`Specify --${option}.`)
  return given
}

/** @throws {Fault} with this sentence when what was given is not one of the choices */
export function oneOf<T extends string>(choices: readonly T[], given: string | undefined, sentence: string): T {
  const choice = choices.find((each) => each === given)
  if (choice === undefined) throw usageFault(sentence)
  return choice
}

const codeOf = (status: number): ExitCode =>
  status === 0 ? exitCodes.unreachable : status === 401 || status === 403 ? exitCodes.forbidden : exitCodes.failed

function sentenceOf({ status, answer, message, failure }: CallProblem): string {
  if (status === 0) return failure
  const said = answer?.detail ?? `${message}.`
  return status === 401 ? `${said} Set FAXDECK_API_KEY, or give --key.` : said
}

const systemWords: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder',
  EACCES: 'You do not have permission to open it',
  EPERM: 'You do not have permission to do that',
  EISDIR: 'It is a folder, not a file',
  ENOSPC: 'The disk is full',
  EEXIST: 'It already exists',
}

/** What went wrong, as a fault: refusals of the gateway and of the system become sentences, the rest is passed on. */
export function faultOf(error: unknown): Fault | undefined {
  if (error instanceof Fault) return error
  if (error instanceof CallProblem) {
    const from = error.answer && { code: error.answer.code, requestId: error.answer.request_id }
    return new Fault(sentenceOf(error), codeOf(error.status), from)
  }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const words = systemWords[error.code]
    const path = 'path' in error && typeof error.path === 'string' ? `: ${error.path}` : ''
    if (words !== undefined) return new Fault(`${words}${path}.`)
  }
  return undefined
}
