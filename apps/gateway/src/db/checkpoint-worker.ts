import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

/** Brings the log into the file whenever it is told to, and says when that is done; ends when told `end`. */
const file = new Sqlite(String(workerData))
file.pragma('synchronous = NORMAL')
file.pragma('busy_timeout = 0')

parentPort?.on('message', (order: 'begin' | 'end') => {
  if (order === 'end') {
    file.close()
    parentPort?.close()
    return
  }
  file.pragma('wal_checkpoint(PASSIVE)')
  parentPort?.postMessage('done')
})
