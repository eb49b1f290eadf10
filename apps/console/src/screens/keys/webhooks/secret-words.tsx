/** What the secret of a webhook is for. */
export function SecretWords() {
  return (
    <p>Give it to the program behind the address: with it the program checks that a message truly comes from here.</p>
  )
}
