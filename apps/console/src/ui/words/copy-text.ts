/**
 * Puts a text on the clipboard.
 * @throws {Error} when the browser does not allow it; over plain HTTP from another machine it has no clipboard at all
 */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}
