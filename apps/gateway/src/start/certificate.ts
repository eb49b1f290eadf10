import { readFileSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { CoreSettings } from '@faxdeck/settings'
import type { Logger } from 'pino'
import { StartProblem } from '../base/settings/start-problem.ts'

/** A certificate with its chain and its private key, as PEM. */
export interface Certificate {
  cert: string
  key: string
}

type CertificateFiles = Pick<CoreSettings, 'tls_cert' | 'tls_key'>

const lookEveryMs = 10_000

/** @throws what the file system or OpenSSL refused: also a key that belongs to another certificate */
function read(cert: string, key: string): Certificate {
  const pair = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  createSecureContext(pair)
  return pair
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * The certificate that the settings name; undefined where the gateway speaks plain HTTP.
 * @throws {StartProblem} when it cannot be used
 */
export function readCertificate({ tls_cert: cert, tls_key: key }: CertificateFiles): Certificate | undefined {
  if (cert === null || key === null) return undefined
  try {
    return read(cert, key)
  } catch (error) {
    throw new StartProblem(
      `TLS_CERT ${cert} and TLS_KEY ${key} cannot be used (${reasonOf(error)}). Both must be PEM files that this user may read, and the key that of the certificate.`,
    )
  }
}

/**
 * Takes a renewed certificate into use. The contents are compared, not the times: links that are switched, as certbot's,
 * are seen as well. A pair that is only half renewed, or damaged, is reported once and the one in use stays.
 * @returns how to stop it
 */
export function followCertificate(
  server: HttpServer | HttpsServer,
  { tls_cert: cert, tls_key: key }: CertificateFiles,
  { log, everyMs = lookEveryMs }: { log: Logger; everyMs?: number },
): () => void {
  if (cert === null || key === null || !(server instanceof HttpsServer)) return () => undefined
  let used = contentOf(cert, key)
  let refused: string | undefined
  const look = () => {
    const found = contentOf(cert, key)
    if (found === used || found === refused) return
    try {
      server.setSecureContext(read(cert, key))
      used = found
      log.info('A new TLS certificate is in use.')
    } catch (error) {
      refused = found
      log.warn({ err: error }, 'The new TLS certificate cannot be used. The old one stays in use.')
    }
  }
  const timer = setInterval(look, everyMs).unref()
  return () => clearInterval(timer)
}

function contentOf(cert: string, key: string): string {
  try {
    return readFileSync(cert, 'utf8') + readFileSync(key, 'utf8')
  } catch (error) {
    return reasonOf(error)
  }
}
