/** A PDF that was made of a document, with sentences for the sender about what it lacks. */
export interface Made {
  pdf: Uint8Array
  notes: readonly string[]
}
