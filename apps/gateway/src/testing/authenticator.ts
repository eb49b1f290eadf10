import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { MadePasskey, PasskeyAnswer } from '@faxdeck/contract'

const digest = (data: string | Buffer) => hash('sha256', data, 'buffer')
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const word = (letters: string) => Buffer.concat([Buffer.from([0x60 + letters.length]), Buffer.from(letters)])

/** Where an authenticator believes to be, and what it claims. */
interface Claims {
  origin?: string
  host?: string
  /** Whether it asked for a fingerprint or a PIN. */
  verified?: boolean
  counter?: number
}

/** A security key in software (WebAuthn Level 3, 6.1): one ES256 credential, attestation "none". */
export class Authenticator {
  readonly id = text(randomBytes(32))
  readonly #key: KeyObject
  readonly #cose: Buffer
  #counter = 0

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#key = privateKey
    const [across, up] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
    const head = Buffer.from('a5010203262001215820', 'hex')
    this.#cose = Buffer.concat([head, across, Buffer.from('225820', 'hex'), up])
  }

  #signed(type: string, challenge: string, claims: Claims, made: boolean) {
    const { origin = 'http://localhost:8080', host = 'localhost', verified = true, counter = ++this.#counter } = claims
    const client = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
    const rest = Buffer.alloc(5)
    rest.writeUInt8(1 + (verified ? 4 : 0) + (made ? 0x40 : 0))
    rest.writeUInt32BE(counter, 1)
    const id = Buffer.from(this.id, 'base64url')
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#cose])
    return { client, data: Buffer.concat([digest(host), rest, ...(made ? [credential] : [])]) }
  }

  /** Makes the passkey. @param challenge of the gateway's question */
  make(challenge: string, claims: Claims = {}): MadePasskey {
    const { client, data } = this.#signed('webauthn.create', challenge, claims, true)
    const bytes = Buffer.concat([Buffer.from([0x59, data.length >> 8, data.length & 255]), data])
    const none = Buffer.concat([Buffer.from([0xa3]), word('fmt'), word('none'), word('attStmt'), Buffer.from([0xa0])])
    const attestationObject = text(Buffer.concat([none, word('authData'), bytes]))
    const response = { clientDataJSON: text(client), attestationObject }
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response }
  }

  /** Signs in with the passkey. @param personId whose it says to be */
  answer(challenge: string, personId: string, claims: Claims = {}): PasskeyAnswer {
    const { client, data } = this.#signed('webauthn.get', challenge, claims, false)
    const signature = sign('sha256', Buffer.concat([data, digest(client)]), this.#key)
    const response = {
      clientDataJSON: text(client),
      authenticatorData: text(data),
      signature: text(signature),
      userHandle: text(Buffer.from(personId)),
    }
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response }
  }
}
