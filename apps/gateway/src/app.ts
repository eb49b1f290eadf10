import type { RouteName } from '@faxdeck/contract'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { serveConsole } from './http/console.ts'
import type { Doors } from './http/doors.ts'
import { Guards } from './http/guards.ts'
import type { Handlers } from './http/handler.ts'
import { register } from './http/register.ts'
import { createServer } from './http/server.ts'

export interface AppParts {
  handlers: Handlers<RouteName>
  doors: Doors
  /** The folder of the built console. */
  consoleDirectory: string
  /** Adds what is not in the contract: webhooks, readiness, metrics. */
  mount: (app: FastifyInstance, guards: Guards) => Promise<void>
  log: FastifyBaseLogger
}

/** The whole HTTP side, without a socket: listen on it, or inject requests. */
export async function createApp({ handlers, doors, consoleDirectory, mount, log }: AppParts): Promise<FastifyInstance> {
  const guards = new Guards(doors)
  const app = await createServer(guards, log)
  await register(app, handlers, doors, guards)
  await mount(app, guards)
  await serveConsole(app, guards, consoleDirectory)
  await app.ready()
  return app
}
