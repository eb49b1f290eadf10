import { execFile } from 'node:child_process'
import type { Logger } from 'pino'

/** Sends assignments such as `READY=1` to the supervisor, where there is one that listens: sd_notify(3). */
export type Notify = (...assignments: string[]) => void

/**
 * Finds the supervisor's socket, and takes it out of `env`: programs that are started later say nothing about the service.
 * Node cannot send datagrams to a Unix socket; systemd-notify, a part of systemd, does. It is a child of this process:
 * the service needs `NotifyAccess=all`.
 * @param env variables of this process
 */
export function notifier(env: NodeJS.ProcessEnv, log: Pick<Logger, 'error'>): Notify {
  const { NOTIFY_SOCKET: socket, PATH } = env
  if (!socket) return () => undefined
  delete env['NOTIFY_SOCKET']
  return (...assignments) => {
    execFile('systemd-notify', assignments, { env: { PATH, NOTIFY_SOCKET: socket } }, (error) => {
      if (!error) return
      log.error({ err: error }, 'systemd was not notified. Install systemd-notify, or set Type=exec for the service.')
    })
  }
}
