import { formatNumber } from '@faxdeck/contract/phone'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { readNumber } from '../../base/number.ts'
import { assertLikely } from '../accept/unlikely.ts'
import { coverFor, quoteDocument } from '../preview/quote.ts'
import { firstAnswer } from '../read/present.ts'
import { groupToSendFor } from '../../access/groups/group-of.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import { writeCode } from '../facts/sheet-code.ts'
import { splitDocument, submitSplit, uploadOf } from './split.ts'

/** Sheets between the faxes of one scan: prints them, and splits an upload at them. */
export const createSeparators = (context: GatewayContext) =>
  ({
    name: 'separators',
    routes: {
      printSeparator: async ({ body }) => {
        const { default_country, fax_paper: paper } = context.settings.current()
        const to = readNumber(body.to, default_country)
        await assertLikely(context, to, body.allow_unlikely_number)
        const reference = body.reference ?? null
        const code = writeCode(context.settings.seals, { to, reference })
        const sheet = { number: formatNumber(to, default_country), reference, code }
        return { content: await context.documents.separatorSheet(sheet, { paper }), fileName: 'separator-sheet.pdf' }
      },
      quoteSplit: async ({ file, form: { tones, ...given } }) => {
        const { pages, parts } = await splitDocument(context, uploadOf(context, file))
        const quoted = []
        for (const { to, reference, from, until, bytes } of parts) {
          const quote = await quoteDocument(context, bytes, { tones, cover: coverFor(context, given, to) })
          quoted.push({ ...quote, to, reference, first_page: from + 1, last_page: until })
        }
        return { pages, parts: quoted }
      },
      splitFax: async ({ form: { tones, unreadable, group_id, ...cover }, file, caller, idempotencyKey, ...call }) => {
        const group = await groupToSendFor(context, caller, group_id)
        const submission = { tones, unreadable, cover, group, file, callerKeyId: caller.keyId, idempotencyKey }
        const { jobs, replayed } = await submitSplit(context, submission)
        if (replayed) call.replayed()
        return { faxes: jobs.map((job) => firstAnswer(job, isTestFax(context.providers, job))) }
      },
    },
  }) satisfies Feature
