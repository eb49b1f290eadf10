import type { Command } from './command.ts'
import { groups } from './commands/access/groups.ts'
import { keys } from './commands/access/keys.ts'
import { people } from './commands/access/people.ts'
import { cancel } from './commands/faxes/cancel.ts'
import { download } from './commands/faxes/download.ts'
import { holds } from './commands/faxes/holds.ts'
import { inbox } from './commands/faxes/inbox.ts'
import { jobs } from './commands/faxes/jobs.ts'
import { records } from './commands/faxes/records.ts'
import { release } from './commands/faxes/release.ts'
import { resend } from './commands/faxes/resend.ts'
import { status } from './commands/faxes/status.ts'
import { watch } from './commands/faxes/watch.ts'
import { dataFolder } from './commands/gateway/data-folder.ts'
import { doctor } from './commands/gateway/doctor.ts'
import { reports } from './commands/gateway/reports.ts'
import { settings } from './commands/gateway/settings.ts'
import { verifyAudit } from './commands/gateway/verify-audit.ts'
import { acceptingStorage } from './commands/installation/accept-storage.ts'
import { backups } from './commands/installation/backup.ts'
import { demo } from './commands/installation/demo.ts'
import { importing } from './commands/installation/import.ts'
import { migrate } from './commands/installation/migrate.ts'
import { rotateKey } from './commands/installation/rotate-key.ts'
import { rotateMasterKey } from './commands/installation/rotate-master-key.ts'
import { mcp } from './commands/programs/mcp.ts'
import { webhooks } from './commands/programs/webhooks.ts'
import { approvals } from './commands/sending/approvals.ts'
import { broadcasts } from './commands/sending/broadcasts.ts'
import { quote } from './commands/sending/quote.ts'
import { send } from './commands/sending/send.ts'
import { separator } from './commands/sending/separator.ts'
import { split } from './commands/sending/split.ts'
import { upload } from './commands/sending/upload.ts'
import { completion } from './commands/shell/completion.ts'

const others: readonly Command[] = [
  send,
  status,
  watch,
  jobs,
  cancel,
  release,
  resend,
  ...broadcasts,
  inbox,
  download,
  quote,
  separator,
  split,
  upload,
  ...approvals,
  ...webhooks,
  ...keys,
  ...people,
  ...groups,
  ...holds,
  records,
  ...settings,
  reports,
  doctor,
  verifyAudit,
  dataFolder,
  mcp,
  ...backups,
  importing,
  migrate,
  acceptingStorage,
  rotateKey,
  rotateMasterKey,
  demo,
]

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [...others, completion(others)]
