import type { routes } from '@faxdeck/contract'
import { readPage } from '../faxes/document.ts'
import type { FaxJobRow } from '../db/tables.ts'
import type { Submission } from '../faxes/submit.ts'
import type { Call, Handlers, Upload } from '../http/handler.ts'
import { Problem } from '../http/problem.ts'
import { approveFax, refuseFax } from './decide.ts'
import type { ApprovalDoors } from './doors.ts'
import { presentPending, presentRequest } from './present.ts'
import { issueQuoteId } from './quote-ids.ts'
import { quotedOf, requestFax } from './request.ts'
import { draftOf, listDecided, listWaiting, requireApproval } from './store.ts'

export type ApprovalRoutes =
  'quoteRequest' | 'requestFax' | 'getFaxRequest' | 'listApprovals' | 'approveFax' | 'refuseFax' | 'getApprovalPage'

/** Wider pictures than this are read, narrower ones are thumbnails. */
const widestThumbnail = 400

type Asked = Call<(typeof routes)['requestFax']> | Call<(typeof routes)['quoteRequest']>

const submissionOf = ({ form, caller, idempotencyKey }: Asked, to: string, file: Upload): Submission => ({
  to,
  tones: form.tones,
  unreadable: form.unreadable,
  cover: form,
  file,
  callerKeyId: caller.keyId,
  idempotencyKey,
})

/** What assistants call. */
function askingHandlers(doors: ApprovalDoors): Handlers<'quoteRequest' | 'requestFax' | 'getFaxRequest'> {
  const { faxes, uploads, seals, now } = doors
  const fileOf = ({ form, file, caller }: Asked) =>
    uploads.documentOf({ file, uploadId: form.upload_id, callerKeyId: caller.keyId })
  return {
    quoteRequest: async (call) => {
      const { upload_id: _, ...form } = call.form
      const { to } = form
      const file = await fileOf(call)
      const order = to === undefined ? undefined : quotedOf(faxes.sending, submissionOf(call, to, file))
      const quote = await faxes.handlers.quoteFax({ ...call, form, file })
      return { ...quote, quote_id: null, quote_expires_at: null, ...(order ? issueQuoteId(seals, order, now()) : {}) }
    },
    requestFax: async (call) => {
      const { to, quote_id: quoteId } = call.form
      const answer = await requestFax(doors, submissionOf(call, to, await fileOf(call)), quoteId)
      if (answer.replayed) call.replayed()
      return answer
    },
    getFaxRequest: async ({ params, caller }) => {
      const row = await requireApproval(doors.database.db, params.id)
      const mayRead = row.caller_key_id === caller.keyId || caller.scopes.has('keys:manage')
      if (!mayRead) throw new Problem('approval_not_found')
      return presentRequest(doors, row)
    },
  }
}

/** The fax that a request may become, while its document is kept for it. @throws {Problem} `document_not_found` */
async function requireDraft({ database }: ApprovalDoors, id: string): Promise<FaxJobRow> {
  const row = await requireApproval(database.db, id)
  if (row.document_key === null) throw new Problem('document_not_found')
  return draftOf(row)
}

/** Faxes that wait for a person, and what the person does. */
export function approvalHandlers(doors: ApprovalDoors): Handlers<ApprovalRoutes> {
  const { database, events, now } = doors
  return {
    ...askingHandlers(doors),
    listApprovals: async ({ query: { state, limit } }) => {
      const list = state === 'waiting' ? listWaiting : listDecided
      return presentPending(doors, await list(database.db, now(), limit))
    },
    approveFax: async ({ params, body, caller, idempotencyKey, replayed }) => {
      const by = { callerKeyId: caller.keyId, idempotencyKey }
      const approved = await approveFax(doors, params.id, by, body.unreadable)
      if (approved.replayed) replayed()
      return approved.fax
    },
    refuseFax: ({ params, caller }) => refuseFax(doors, params.id, caller.keyId),
    getApprovalPage: async ({ params: { id, page }, query: { width }, headers, caller }) => {
      const draft = await requireDraft(doors, id)
      const answer = await readPage(doors, draft, page, width, headers['if-none-match'])
      if (width === undefined || width > widestThumbnail) {
        await events.documentViewed({ job_id: draft.id, key_id: caller.keyId, page })
      }
      return answer
    },
  }
}
