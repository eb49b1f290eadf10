import { randomBytes } from 'node:crypto'
import { basicAuthorization } from '@faxdeck/provider-kit'
import type { EmulatedReply, EmulatedRequest } from '@faxdeck/provider-kit/emulator'

/** The project of the emulator, its access key, and what its webhook is protected with. */
export const emulatedProject = {
  id: 'emulated-project',
  keyId: 'emulated-key-id',
  keySecret: 'emulated-key-secret',
  webhookPassword: 'emulated-webhook-password',
}

const key = basicAuthorization(emulatedProject.keyId, emulatedProject.keySecret)

/** Grants tokens and knows who may ask. */
export class EmulatedAccess {
  readonly #tokens = new Set<string>()

  grant({ headers, body }: EmulatedRequest): EmulatedReply {
    if (headers.authorization !== key) return { status: 401, body: { error: 'invalid_client' } }
    if (new URLSearchParams(body.toString()).get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type' } }
    const token = randomBytes(24).toString('base64url')
    this.#tokens.add(token)
    return { status: 200, body: { access_token: token, token_type: 'bearer', expires_in: 3600 } }
  }

  admits({ headers }: EmulatedRequest): boolean {
    const { authorization = '' } = headers
    return authorization === key || this.#tokens.has(authorization.replace(/^Bearer /, ''))
  }

  /** Every token so far is refused from now on. */
  revoke = (): void => this.#tokens.clear()
}
