import type { Job } from '@faxdeck/contract'
import { losesWriting } from '@faxdeck/contract/page-notes'
import { useQuery } from '@tanstack/react-query'
import { useGroupName } from '../../../api/groups.ts'
import { providerName, providersQuery } from '../../../api/overview.ts'
import { FaxNumber } from '../../../session/fax-number.tsx'
import { useSession } from '../../../session/session.ts'
import { Button, CopyButton } from '../../../ui/control/button.tsx'
import { FaxStatusChip } from '../../../ui/control/status-chip.tsx'
import { ShortId } from '../../../ui/fax/masked-number.tsx'
import { type Fact, FactList } from '../../../ui/layout/fact-list.tsx'
import { Time } from '../../../ui/time.tsx'
import { codesInWords } from '../../../ui/words/codes-in-words.ts'
import styles from './job-facts.module.css'

function pagesInWords({ pages, pages_confirmed: confirmed, test }: Job): string {
  if (pages === null) return 'Not known yet'
  return confirmed === null || test ? String(pages) : `${pages}, ${confirmed} confirmed`
}

/** All that is known of a job. */
export function JobFacts({ job, onOpen }: { job: Job; onOpen: (id: string) => void }) {
  const { go } = useSession()
  const group = useGroupName(job.group_id)
  const { data: providers } = useQuery(providersQuery)
  const facts: Fact[] = [
    [
      'Job ID',
      <span key="id" className={styles.id}>
        <code>{job.id}</code>
        <CopyButton text={job.id} what="job ID" tone="quiet" />
      </span>,
    ],
    ['To Number', <FaxNumber key={job.id} id={job.id} side="sent" number={job.to_number} />],
    ['Status', <FaxStatusChip key="status" fax={job} />],
    ['Backend', providerName(job.backend, providers)],
    ['Pages', pagesInWords(job)],
    ['File name', job.file_name ?? '—'],
    ['Created', <Time key="created" at={job.created_at} seconds dated />],
    ['Last updated', <Time key="updated" at={job.updated_at} seconds dated />],
    ['Error', job.error ?? '—'],
  ]
  if (group) facts.push(['Group', group])
  const { parent_id: parent, broadcast_id: broadcast, cover, page_notes: notes } = job
  if (notes.length > 0) {
    const title = notes.some(losesWriting) ? 'Unreadable parts' : 'About the pages'
    facts.push([title, notes.map(({ sentence }) => sentence).join(' ')])
  }
  if (job.codes.length > 0) facts.push(['Barcodes on page 1', codesInWords(job.codes)])
  if (cover) facts.push(['Cover page', `Page 1 (${cover})`])
  if (broadcast) {
    facts.push([
      'Broadcast',
      <Button key="broadcast" tone="quiet" onClick={() => go('broadcasts', { open: broadcast })}>
        <ShortId id={broadcast} />
      </Button>,
    ])
  }
  if (parent) {
    facts.push([
      'Sent again from',
      <Button key="parent" tone="quiet" onClick={() => onOpen(parent)}>
        <ShortId id={parent} />
      </Button>,
    ])
  }
  return <FactList facts={facts} />
}
