import type { MadePasskey, PasskeyAnswer } from '@faxdeck/contract'
import type { startRegistration } from '@simplewebauthn/browser'

/** The browser made or gave no passkey. */
class PasskeyProblem extends Error {
  override name = 'PasskeyProblem'
}

/** Whether passkeys work here: over HTTPS or on this machine, under a host name. */
export const knowsPasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)

function sentenceOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: string }
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' || name === 'InvalidStateError')
    return 'This device already has a passkey for your account.'
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'The request was canceled or timed out, or this device has no passkey for your account.'
  return error instanceof Error ? error.message : 'The browser gave no reason.'
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new PasskeyProblem(sentenceOf(error), { cause: error })
  }
}

/** Asks for one of the passkeys that this browser reaches. @throws {PasskeyProblem} */
export async function getPasskey(options: { challenge: string }): Promise<PasskeyAnswer> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return asked(async () => (await startAuthentication({ optionsJSON: options })) as PasskeyAnswer)
}

type Making = Parameters<typeof startRegistration>[0]['optionsJSON']

/** Makes a passkey. @throws {PasskeyProblem} */
export async function makePasskey(options: { challenge: string }): Promise<MadePasskey> {
  const browser = await import('@simplewebauthn/browser')
  return asked(async () => (await browser.startRegistration({ optionsJSON: options as Making })) as MadePasskey)
}
