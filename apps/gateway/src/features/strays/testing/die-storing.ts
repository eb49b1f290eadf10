import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createDocuments } from '@faxdeck/documents'
import { noGroup } from '../../../access/groups/group-of.ts'
import { connect } from '../../../base/db/connect.ts'
import { prepareJob } from '../../../fax/accept/submit.ts'
import { testContext } from '../../../testing/test-context.ts'
import { createLocalStorage } from '../../../base/storage/local.ts'

/**
 * Stores the document of a submission and is killed before its job commits. Its argument is a folder with a database,
 * `faxdeck.db`; the document lies below `documents` then.
 */
const [folder = ''] = process.argv.slice(2)
const context = testContext({
  database: await connect(`sqlite:${join(folder, 'faxdeck.db')}`),
  storage: createLocalStorage(join(folder, 'documents')),
  documents: createDocuments({ threads: 1 }),
  now: () => new Date(),
})
await prepareJob(context, {
  to: '+15555550123',
  tones: 'auto',
  cover: {},
  group: noGroup,
  file: { fileName: null, bytes: Buffer.from('Results of the patient.') },
  callerKeyId: 'test',
  idempotencyKey: undefined,
  backend: 'testline',
  isTest: false,
  storedCover: undefined,
  digest: '',
  fingerprint: randomBytes(8).toString('hex'),
})
process.kill(process.pid, 'SIGKILL')
