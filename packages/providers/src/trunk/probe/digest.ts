import { createHash, randomBytes } from 'node:crypto'

/** What a carrier asks a user to prove, in a challenge (RFC 8760, RFC 7616). */
export interface Challenge {
  scheme: 'WWW-Authenticate' | 'Proxy-Authenticate'
  realm: string
  nonce: string
  algorithm: string
  /** Whether the integrity of the request line is part of the proof (`qop=auth`). */
  hasQop: boolean
  opaque: string | undefined
  /** The proof was right, and only the nonce had grown old. */
  isStale: boolean
}

const hashes: Readonly<Record<string, string>> = { md5: 'md5', 'sha-256': 'sha256', 'sha-512-256': 'sha512-256' }

/** Reads `Digest realm="a", nonce="b"`; undefined for another scheme, or an algorithm that is not known. */
export function readChallenge(scheme: Challenge['scheme'], text: string): Challenge | undefined {
  if (!/^digest\s/i.test(text)) return undefined
  const found = text.matchAll(/(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)
  const values = new Map([...found].map(([, name = '', quoted, bare]) => [name.toLowerCase(), quoted ?? bare ?? '']))
  const algorithm = values.get('algorithm') ?? 'MD5'
  const qops = values.get('qop')?.split(/\s*,\s*/)
  if (hashes[algorithm.toLowerCase()] === undefined || qops?.includes('auth') === false) return undefined
  return {
    scheme,
    realm: values.get('realm') ?? '',
    nonce: values.get('nonce') ?? '',
    algorithm,
    hasQop: qops !== undefined,
    opaque: values.get('opaque'),
    isStale: values.get('stale')?.toLowerCase() === 'true',
  }
}

/** The header that answers a challenge. @param uri as in the request line */
export function answerTo(
  { scheme, realm, nonce, algorithm, hasQop, opaque }: Challenge,
  { user, password, method, uri }: { user: string; password: string; method: string; uri: string },
): string {
  const hash = (text: string) =>
    createHash(hashes[algorithm.toLowerCase()] ?? 'md5')
      .update(text)
      .digest('hex')
  const proof = [hash(`${user}:${realm.replace(/\\(.)/g, '$1')}:${password}`), nonce]
  const cnonce = randomBytes(8).toString('hex')
  const once = hasQop ? ['00000001', cnonce, 'auth'] : []
  const response = hash([...proof, ...once, hash(`${method}:${uri}`)].join(':'))
  const fields = [
    `username="${user.replace(/["\\]/g, '\\$&')}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    `response="${response}"`,
    `algorithm=${algorithm}`,
    ...(hasQop ? [`cnonce="${cnonce}"`, 'qop=auth', 'nc=00000001'] : []),
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
  ]
  return `${scheme === 'WWW-Authenticate' ? 'Authorization' : 'Proxy-Authorization'}: Digest ${fields.join(', ')}`
}
