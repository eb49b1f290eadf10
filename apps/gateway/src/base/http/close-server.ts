import type { FastifyInstance } from 'fastify'

/** Stops listening and waits at most `graceMs` for answers under way; who is still connected then is cut off. */
export async function closeServer(app: FastifyInstance, graceMs: number): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await app.close()
  clearTimeout(cutOff)
}
