import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { expireApprovals } from './expire.ts'
import { countWaitingApprovals, quotedOf, requestFax } from './request.ts'
import { expireUploads, uploadHandlers, documentOf } from './uploads.ts'
import type { routes } from '@faxdeck/contract'
import { readPage } from '../../fax/read/document.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { quoteFax } from '../../fax/preview/quote.ts'
import type { Submission } from '../../fax/accept/submit.ts'
import { groupToSendFor } from '../../access/groups/group-of.ts'
import { recordView } from '../../access/record-view.ts'
import { assertFits } from '../../base/http/upload-limit.ts'
import type { Call, Handlers, Upload } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { approveFax, refuseFax } from './decide.ts'
import { presentPending, presentRequest } from './present.ts'
import { issueQuoteId } from './quote-ids.ts'
import { draftOf, listDecided, listWaiting, requireApproval } from './store.ts'

type Asked = Call<(typeof routes)['requestFax']> | Call<(typeof routes)['quoteRequest']>

const submissionOf = async (
  context: GatewayContext,
  { form, caller, idempotencyKey }: Asked,
  to: string,
  file: Upload,
): Promise<Submission> => ({
  to,
  tones: form.tones,
  unreadable: form.unreadable,
  cover: form,
  group: await groupToSendFor(context, caller, form.group_id),
  reference: form.reference ?? null,
  metadata: form.metadata ?? {},
  allowsUnlikely: form.allow_unlikely_number === 'true',
  file,
  callerKeyId: caller.keyId,
  idempotencyKey,
})

function askingHandlers(context: GatewayContext) {
  const { settings, now } = context
  const fileOf = ({ form, file, caller }: Asked) =>
    documentOf(context, { file, uploadId: form.upload_id, callerKeyId: caller.keyId })
  return {
    quoteRequest: async (call) => {
      const { upload_id: _, allow_unlikely_number: allow, ...form } = call.form
      const { to } = form
      const file = await fileOf(call)
      const quoted = to === undefined ? undefined : quotedOf(context, await submissionOf(context, call, to, file))
      assertFits(file.bytes, settings.current())
      const quote = await quoteFax(context, file, { ...form, allowsUnlikely: allow === 'true' })
      const issued = quoted ? issueQuoteId(settings.seals, quoted, now()) : {}
      return { ...quote, quote_id: null, quote_expires_at: null, ...issued }
    },
    requestFax: async (call) => {
      const { to, quote_id: quoteId } = call.form
      const answer = await requestFax(context, await submissionOf(context, call, to, await fileOf(call)), quoteId)
      if (answer.replayed) call.replayed()
      return answer
    },
    getFaxRequest: async ({ params, caller }) => {
      const row = await requireApproval(context.database.db, params.id)
      const mayRead = row.caller_key_id === caller.keyId || caller.permissions.has('handle_faxes')
      if (!mayRead) throw new Problem('approval_not_found')
      return presentRequest(context, row)
    },
  } satisfies Partial<Handlers>
}

/** The fax that a request may become, while its document is kept for it. @throws {Problem} `document_not_found` */
async function requireDraft({ database }: GatewayContext, id: string): Promise<FaxJobRow> {
  const row = await requireApproval(database.db, id)
  if (row.document_key === null) throw new Problem('document_not_found')
  return draftOf(row)
}

/** Faxes that wait for a person, and what the person does. */
function approvalHandlers(context: GatewayContext) {
  const { database, now } = context
  return {
    ...askingHandlers(context),
    listApprovals: async ({ query: { state, limit } }) => {
      const list = state === 'waiting' ? listWaiting : listDecided
      return presentPending(context, await list(database.db, now(), limit))
    },
    approveFax: async ({ params, body, caller, idempotencyKey, replayed }) => {
      const by = { callerKeyId: caller.keyId, idempotencyKey }
      const approved = await approveFax(context, params.id, by, body.unreadable)
      if (approved.replayed) replayed()
      return approved.fax
    },
    refuseFax: ({ params, caller }) => refuseFax(context, params.id, caller.keyId),
    getApprovalPage: async ({ params: { id, page }, query: { width }, headers, caller }) => {
      const draft = await requireDraft(context, id)
      const answer = await readPage(context, draft, page, width, headers['if-none-match'])
      await recordView(context, { job_id: draft.id, key_id: caller.keyId, page, width })
      return answer
    },
  } satisfies Partial<Handlers>
}

/** Takes the faxes that assistants ask for, and lets a person decide about them first. */
export const createApprovals = (context: GatewayContext) =>
  ({
    name: 'approvals',
    routes: { ...approvalHandlers(context), ...uploadHandlers(context) },
    expire: async (now = context.now) => {
      await Promise.all([expireUploads({ ...context, now }), expireApprovals({ ...context, now })])
    },
    /** How many requests wait for a person. */
    countWaiting: () => countWaitingApprovals(context),
  }) satisfies Feature & Record<string, unknown>
