import { EventEmitter } from 'node:events'
import type { Tx } from './tx.ts'

/** The subjects of change notifications. */
export const signalNames = ['queue', 'audit', 'jobs', 'inbound', 'settings', 'webhooks', 'keys'] as const
type Signal = (typeof signalNames)[number]

/** Notifications about committed transactions; with PostgreSQL they reach every process that shares the database. */
export interface Signals {
  /** Notifies listeners once this transaction is committed. */
  notify: (tx: Tx, signal: Signal) => Promise<void>
  /** Calls `listener` after each commit that raised `signal`; returns how to stop. */
  on: (signal: Signal, listener: () => void) => () => void
}

/** Listeners within this process. */
export function createListeners(): { emit: (signal: string) => void; on: Signals['on'] } {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    emit: (signal) => emitter.emit(signal),
    on: (signal, listener) => {
      emitter.on(signal, listener)
      return () => void emitter.off(signal, listener)
    },
  }
}
