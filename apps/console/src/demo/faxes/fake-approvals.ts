import type { PendingFax } from '@faxdeck/contract'
import { type FakeCalls, findIn, leastReply, Refusal } from '../fake-calls.ts'
import { addEvent } from '../records/fake-logs.ts'
import { instantOf, type World } from '../world.ts'
import { addJob } from './fake-jobs.ts'
import { pagePng } from './fake-page.ts'

const day = 86_400_000

/** A fax that an assistant asks for, as if it had just done so. */
export function addApproval(world: World, fields: Partial<PendingFax> = {}): PendingFax {
  const approval: PendingFax = {
    ...leastReply('refuseFax'),
    id: `apr_${world.nextId()}`,
    state: 'waiting',
    to: '+15555550123',
    faxed_before: 3,
    pages: 2,
    file_name: 'referral-letter.pdf',
    document_kind: 'pdf',
    size_bytes: 48_211,
    unreadable: 'refuse',
    asked_by: world.nextId(12),
    asked_by_name: 'Front desk assistant',
    created_at: instantOf(world.now()),
    expires_at: instantOf(world.now() + day),
    ...fields,
  }
  world.approvals.push(approval)
  addEvent(world, 'approval_requested', { approval: approval.id, key_id: approval.asked_by })
  return approval
}

/** What a person decides about the faxes that assistants ask for. */
export function approvalCalls(world: World) {
  const find = (wanted: string) => findIn(world.approvals, ({ id }) => id === wanted, 'approval_not_found')
  const decide = (id: string, state: 'approved' | 'refused') => {
    const approval = find(id)
    if (approval.state !== 'waiting') throw new Refusal('conflict', `It was ${approval.state} already.`)
    Object.assign(approval, { state, decided_by: 'bootstrap', decided_at: instantOf(world.now()) })
    addEvent(world, state === 'approved' ? 'approval_granted' : 'approval_refused', { approval: id })
    return approval
  }
  return {
    listApprovals: ({ query: { state = 'waiting' } }) =>
      world.approvals.filter((each) => (each.state === 'waiting') === (state === 'waiting')),
    approveFax: ({ params }) => {
      const approval = decide(params.id, 'approved')
      const { to, pages, file_name } = approval
      approval.job_id = addJob(world, to, { pages, file_name }).job.id
      return approval
    },
    refuseFax: ({ params }) => decide(params.id, 'refused'),
    getApprovalPage: ({ params }) => {
      if (Number(params.page) > find(params.id).pages) throw new Refusal('page_not_found')
      return pagePng(Number(params.page))
    },
  } satisfies FakeCalls
}
