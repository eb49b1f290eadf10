import type { BulkKind } from '@faxdeck/contract'
import { countFaxes } from '../../../ui/words/figures.ts'

export const bulkKinds = ['release', 'resend', 'cancel'] as const satisfies readonly BulkKind[]

/** What can be done with several faxes, in words. */
export const bulkWords = {
  release: {
    verb: 'Release',
    done: 'released',
    under: 'Releasing',
    effect: 'They will be sent now. Any already sent after the backup will arrive twice.',
  },
  resend: {
    verb: 'Send again',
    done: 'sent again',
    under: 'Sending again',
    effect: 'Each is sent again as a new fax to the same number. Recipients who already got the fax will get it again.',
  },
  cancel: {
    verb: 'Cancel faxes',
    done: 'canceled',
    under: 'Canceling',
    effect: 'They won’t be sent. A fax that a provider has already started sending may still arrive.',
  },
} as const satisfies Record<BulkKind, object>

/** What a person agrees to. @param force of faxes that are sent again only after a question */
export function bulkEffect({ action, force, leftOut }: { action: BulkKind; force: boolean; leftOut: number }): string {
  if (action === 'resend' && force) return forced
  const { effect } = bulkWords[action]
  if (leftOut === 0) return effect
  return `${effect} ${countFaxes(leftOut)} left out: already delivered, already sent again, or to a number without a fax machine.`
}

const forced =
  'All of these were already delivered, were already sent again, or went to a number without a fax machine. Recipients who already got the fax will get it again, and wrong numbers will be dialed again.'

export const bulkQuestions = {
  release: (faxes: string) => `Release ${faxes}?`,
  resend: (faxes: string) => `Send ${faxes} again?`,
  cancel: (faxes: string) => `Cancel ${faxes}?`,
} as const satisfies Record<BulkKind, (faxes: string) => string>
