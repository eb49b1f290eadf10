import { maxCompared, type TrailComparison } from '@faxdeck/contract'
import { command, option } from '../../command.ts'
import { exitCodes } from '../../exit-codes.ts'
import { readTrailCopy, type TrailCopyFile } from './trail-copy.ts'

const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

type Compare = (part: TrailCopyFile['entries']) => Promise<TrailComparison>

/** Compares a copy with the database, a batch of entries at a time, until one does not fit. */
async function compareAll(copy: TrailCopyFile, compare: Compare): Promise<TrailComparison | undefined> {
  let last: TrailComparison | undefined
  for (let at = 0; at < copy.entries.length; at += maxCompared) {
    last = await compare(copy.entries.slice(at, at + maxCompared))
    if (!last.fits) return last
  }
  return last
}

const isWhole = ({ broken, twice, unlinked }: TrailCopyFile) => (broken ?? twice ?? unlinked) === null
const withoutEntries = ({ broken, twice, unlinked }: TrailCopyFile) => ({ broken, twice, unlinked })

function comparisonInWords(copy: TrailCopyFile, comparison: TrailComparison | undefined): string {
  if (copy.broken !== null) return `The copy itself was changed: its entry ${copy.broken} does not match its own hash.`
  if (!comparison) return 'The file holds no entries or anchors of an audit trail.'
  const { fits, at, problem, newest } = comparison
  if (fits && (copy.twice ?? copy.unlinked) !== null) {
    return `The copy matches the database now, but did not always: see its entry ${copy.twice ?? copy.unlinked}. The database was changed and put back.`
  }
  if (fits)
    return `The copy matches the database: ${entries(copy.entries.length)} and anchors, the newest entry is ${newest}.`
  if (problem === 'missing') {
    return `The database lacks entry ${at}, which the copy has. Its newest entry is ${newest}: later ones were cut off, or an older backup was restored.`
  }
  if (problem === 'restored') {
    return `Entry ${at} of the database records that a backup was restored. The copy has another entry ${at} from before that. If nobody restored a backup then, entries were cut off. Otherwise, start a new copy.`
  }
  return `Entry ${at} of the database differs from the copy: it was changed, or rewritten after entries were cut off.`
}

export const verifyAudit = command({
  name: 'verify-audit',
  summary: 'Recompute the hash chain of the audit trail, and compare it with a copy',
  about:
    'Exits with 1 if the chain is broken or the copy does not match. A copy is the file of TRAIL_FILE, a log of the syslog server, or what a webhook received; lines may have any prefix.',
  options: {
    copy: option('<file>', 'Compare with this copy, entries and anchors.'),
  },
  examples: ['faxdeck verify-audit', 'faxdeck verify-audit --copy /mnt/worm/faxdeck-trail.jsonl'],
  async run({ options }, { client, out }) {
    out.progress('Recomputing the chain…')
    const verdict = await client.verifyAuditChain({})
    const copy = options.copy === undefined ? undefined : await readTrailCopy(options.copy)
    const comparison = copy && (await compareAll(copy, (part) => client.compareTrail({ body: { entries: part } })))
    const fits = copy === undefined || (isWhole(copy) && comparison?.fits === true)
    out.answer({ ...verdict, ...(copy ? { copy: { ...withoutEntries(copy), ...comparison } } : {}) }, () => {
      out.line(
        verdict.intact
          ? { text: `Intact: ${entries(verdict.checked)}.`, style: 'green' }
          : {
              text: `Broken at entry ${verdict.broken_at ?? 'unknown'}: what follows cannot be trusted. Compare with a backup.`,
              style: 'red',
            },
      )
      if (copy) out.line({ text: comparisonInWords(copy, comparison), style: fits ? 'green' : 'red' })
    })
    return verdict.intact && fits ? exitCodes.done : exitCodes.failed
  },
})
