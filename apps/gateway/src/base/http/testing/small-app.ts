import { tmpdir } from 'node:os'
import { type RouteName, type Scope, scopes } from '@faxdeck/contract'
import { coreRows, applyLayers, type CoreSettings, type Values } from '@faxdeck/settings'
import type { FastifyBaseLogger, FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { Guards } from '../callers/guards.ts'
import { holderOf } from '../callers/keys.ts'
import { currentRequestId } from '../callers/request-context.ts'
import type { Handlers } from '../handler.ts'
import { DocumentMemory } from '../../storage/document-memory.ts'
import { register } from '../register.ts'
import { createServer } from '../server.ts'

const keys: Readonly<Record<string, readonly Scope[]>> = {
  'admin-key': scopes,
  'sender-key': ['fax:send', 'fax:read'],
  'reader-key': ['inbound:list', 'inbound:read'],
}

/** What the guards told the audit trail. */
interface Reported {
  loginFailed: unknown[]
  apiKeyDeniedScope: unknown[]
  rateLimited: unknown[]
  apiError: unknown[]
}

export interface SmallApp {
  app: FastifyInstance
  seen: Reported
  /** Lines of the log. */
  logged: string[]
  clock: { now: number }
  /** A request from this machine with the administrator's key, unless the options say otherwise. */
  ask: (
    options: Omit<InjectOptions, 'headers'> & { url: string; headers?: Record<string, string | undefined> },
  ) => Promise<LightMyRequestResponse>
}

/**
 * A server with real guards around made handlers: three keys, a clock that stands still, an audit trail in memory.
 * @param log the process's; a list of lines when absent
 */
export async function smallApp<N extends RouteName>(
  handlers: Handlers<N>,
  settings: Values = {},
  log?: FastifyBaseLogger,
): Promise<SmallApp> {
  const reported: Reported = { loginFailed: [], apiKeyDeniedScope: [], rateLimited: [], apiError: [] }
  const logged: string[] = []
  const clock = { now: Date.UTC(2026, 0, 1) }
  // The rows that made the values are those the type was derived from.
  const values = applyLayers(coreRows([]), { environment: {}, saved: settings }).values as unknown as CoreSettings
  const record = (list: unknown[]) => async (facts: unknown) => void list.push(facts)
  const guards = new Guards({
    settings: () => values,
    keys: {
      verify: async (token) => (keys[token] ? holderOf(token, new Set(keys[token]), 'own') : undefined),
      wasValid: (token) => token in keys,
      onEnded: () => () => undefined,
    },
    events: {
      loginFailed: record(reported.loginFailed),
      apiKeyDeniedScope: record(reported.apiKeyDeniedScope),
      permissionDenied: record([]),
      rateLimited: record(reported.rateLimited),
      apiError: record(reported.apiError),
    },
    now: () => new Date(clock.now),
  })
  const mixin = () => ({ request_id: currentRequestId() })
  const ownLog = pino({ level: 'error', mixin }, { write: (line) => void logged.push(line) })
  const app = await createServer(guards, log ?? ownLog)
  await register(app, handlers, guards, { folder: tmpdir(), memory: new DocumentMemory(64 * 1024 * 1024) })
  await app.ready()
  const ask: SmallApp['ask'] = ({ headers, ...options }) => {
    const all: Record<string, string | undefined> = { host: 'localhost:8080', 'x-api-key': 'admin-key', ...headers }
    const given = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined)
    return app.inject({ remoteAddress: '127.0.0.1', ...options, headers: Object.fromEntries(given) })
  }
  return { app, seen: reported, logged, clock, ask }
}
