import { command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'

export const verifyAudit = command({
  name: 'verify-audit',
  takes: '',
  count: [0, 0],
  summary: 'Recompute the hash chain of the audit trail',
  about: 'Ends with 1 when the chain is broken: an entry was changed or removed from outside.',
  options: {},
  examples: ['faxdeck verify-audit'],
  async run(_given, { client, out }) {
    out.progress('Recomputing the chain…')
    const verdict = await client.verifyAuditChain({})
    out.answer(verdict, () => {
      const entries = verdict.checked === 1 ? '1 entry' : `${verdict.checked} entries`
      out.line(
        verdict.intact
          ? { text: `Intact: ${entries}.`, style: 'green' }
          : {
              text: `Broken at entry ${verdict.broken_at ?? 'unknown'}: what follows cannot be trusted. Compare with a backup.`,
              style: 'red',
            },
      )
    })
    return verdict.intact ? exitCodes.done : exitCodes.failed
  },
})
