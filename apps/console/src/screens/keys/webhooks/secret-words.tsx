/** What the secret of a webhook is for. */
export function SecretWords() {
  return <p>Your endpoint uses this secret to check that a delivery comes from this gateway.</p>
}
