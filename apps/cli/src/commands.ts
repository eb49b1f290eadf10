import type { Command } from './command.ts'
import { acceptingStorage } from './commands/accept-storage.ts'
import { rotateKey } from './commands/rotate-key.ts'
import { approvals } from './commands/approvals.ts'
import { backups } from './commands/backup.ts'
import { broadcasts } from './commands/broadcasts.ts'
import { cancel } from './commands/cancel.ts'
import { completion } from './commands/completion.ts'
import { demo } from './commands/demo.ts'
import { doctor } from './commands/doctor.ts'
import { download } from './commands/download.ts'
import { holds } from './commands/holds.ts'
import { importing } from './commands/import.ts'
import { inbox } from './commands/inbox.ts'
import { jobs } from './commands/jobs.ts'
import { keys } from './commands/keys.ts'
import { mcp } from './commands/mcp.ts'
import { migrate } from './commands/migrate.ts'
import { groups } from './commands/groups.ts'
import { people } from './commands/people.ts'
import { quote } from './commands/quote.ts'
import { records } from './commands/records.ts'
import { release } from './commands/release.ts'
import { reports } from './commands/reports.ts'
import { resend } from './commands/resend.ts'
import { send } from './commands/send.ts'
import { separator } from './commands/separator.ts'
import { settings } from './commands/settings.ts'
import { split } from './commands/split.ts'
import { status } from './commands/status.ts'
import { upload } from './commands/upload.ts'
import { verifyAudit } from './commands/verify-audit.ts'
import { watch } from './commands/watch.ts'
import { webhooks } from './commands/webhooks.ts'

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
  mcp,
  ...backups,
  importing,
  migrate,
  acceptingStorage,
  rotateKey,
  demo,
]

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [...others, completion(others)]
