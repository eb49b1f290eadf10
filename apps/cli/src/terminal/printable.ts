/** Text from outside, unable to move the cursor or to change the terminal. Line breaks become spaces. */
export function printable(text: string): string {
  return text.replace(/\s*[\r\n\t]+\s*/g, ' ').replace(/\p{Cc}/gu, '\uFFFD')
}
