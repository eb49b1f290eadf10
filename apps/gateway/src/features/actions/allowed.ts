import { resolve } from 'node:path'
import type { GatewayContext } from '../../base/context.ts'
import type { Action } from './action.ts'
import { runProgram } from './program.ts'
import { reportQueue, reportVersions, verifyTrail } from './reports.ts'
import { testConversion } from './self-test.ts'

/** Characters kept of what a program writes. */
export const maxOutput = 10_000

/** Everything that may be run. All of it only looks: nothing here changes a fax or a setting. */
export function allowedActions(context: GatewayContext, version: string): Action[] {
  const { database, queue, documents, events, directory } = context
  const place = resolve(directory)
  const program = (...argv: [string, ...string[]]): Action['run'] => {
    return (signal) => runProgram(argv, signal, maxOutput)
  }
  return [
    {
      id: 'version_report',
      label: 'Versions',
      about: 'Faxdeck, Node.js, the database and the system.',
      run: () => reportVersions(version, database),
    },
    {
      id: 'disk_space',
      label: 'Disk space',
      about: 'Free space on the disk of the data directory.',
      run: program('df', '-h', '-P', place),
    },
    {
      id: 'list_faxdata',
      label: 'Data directory',
      about: 'Contents of the data directory, with sizes and permissions.',
      run: program('ls', '-la', place),
    },
    {
      id: 'queue_report',
      label: 'Queue',
      about: 'How much work is waiting and since when, and jobs by status.',
      run: () => reportQueue(queue, database),
    },
    {
      id: 'verify_audit_chain',
      label: 'Audit chain',
      about: 'Recomputes the hash of every audit entry.',
      run: (signal) => verifyTrail(events, signal),
    },
    {
      id: 'conversion_self_test',
      label: 'Conversion self-test',
      about: 'Converts a sample text to fax pages and a PDF, and reads it back.',
      run: (signal) => testConversion(documents, signal),
    },
  ]
}
