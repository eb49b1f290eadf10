import { type RouteName, routes } from '@faxdeck/contract'
import type { FastifyInstance } from 'fastify'
import type { Group } from './checks.ts'
import type { Guards } from './http/callers/guards.ts'
import type { Handlers } from './http/handler.ts'
import type { InsideCalls } from './http/inside-calls.ts'
import type { WorkHandler } from './queue/worker.ts'

/** What a feature serves addresses with that are not calls of the contract. */
interface Server {
  app: FastifyInstance
  guards: Guards
  /** Makes calls of the contract without HTTP. */
  calls: InsideCalls<RouteName>
}

/** One part of the gateway: the calls it answers, its background work, and how it is closed. */
export interface Feature {
  name: string
  /** Answers calls of the contract. */
  routes?: Partial<Handlers>
  /** Serves addresses that are not calls of the contract. */
  serve?: (server: Server) => void | Promise<void>
  /** Does queued work, by kind. */
  work?: Readonly<Record<string, WorkHandler>>
  /** Keeps things in order at startup and every hour, where no clock decides. */
  tidy?: () => Promise<void>
  /**
   * Removes what is past its time, every hour.
   * @param now no later than the time it really is, whatever the clock of this machine says
   */
  expire?: (now: () => Date) => Promise<void>
  /** Starts background work, and returns how to stop it. */
  start?: () => () => void | Promise<void>
  /** What diagnostics looks at of it. */
  checks?: Group
  /** Releases its resources, once nothing runs any more. */
  close?: () => void | Promise<void>
}

/** The names of the calls that features answer. */
export type AnsweredBy<F extends readonly Feature[]> = {
  [I in keyof F]: F[I] extends { routes: infer R } ? keyof R : never
}[number]

/**
 * The handlers of all features: one for every row of the contract.
 * @typeParam Unanswered the calls that no feature answers; the compiler refuses any by name
 * @throws {Error} naming a call that two features answer, or none
 */
export function handlersOf<Unanswered extends never>(features: readonly Feature[]): Handlers<RouteName | Unanswered> {
  const owners = new Map<string, string>()
  for (const { name, routes: answered = {} } of features) {
    for (const call of Object.keys(answered)) {
      const other = owners.get(call)
      if (other !== undefined) throw new Error(`The call ${call} is answered by two features: ${other} and ${name}.`)
      owners.set(call, name)
    }
  }
  const missing = Object.keys(routes).filter((call) => !owners.has(call))
  if (missing.length > 0) throw new Error(`No feature answers the call ${missing.join(', ')}.`)
  return Object.assign({}, ...features.map((feature) => feature.routes)) as Handlers
}

/** What does the queued work of all features, by kind. @throws {Error} when two do the same kind */
export function workOf(features: readonly Feature[]): Record<string, WorkHandler> {
  const all = features.flatMap(({ work = {} }) => Object.entries(work))
  const kinds = all.map(([kind]) => kind)
  const twice = kinds.find((kind, at) => kinds.indexOf(kind) !== at)
  if (twice !== undefined) throw new Error(`Queued work of the kind ${twice} is done by two features.`)
  return Object.fromEntries(all)
}
