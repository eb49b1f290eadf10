/** Why a document cannot be shown. @param missing it is not in the storage, although nobody removed it */
export const whyNoDocument = (missing: boolean): string =>
  missing
    ? 'The document is missing from storage, and retention did not remove it. Restore it from a backup, then run Diagnostics.'
    : 'The document is no longer stored. Its details remain.'
