/** What the secret of a webhook is for. */
export function SecretWords() {
  return <p>Your endpoint uses it to check that a delivery comes from this gateway.</p>
}
