import type { BulkKind } from '@faxdeck/contract'

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

export const bulkQuestions = {
  release: (faxes: string) => `Release ${faxes}?`,
  resend: (faxes: string) => `Send ${faxes} again?`,
  cancel: (faxes: string) => `Cancel ${faxes}?`,
} as const satisfies Record<BulkKind, (faxes: string) => string>
