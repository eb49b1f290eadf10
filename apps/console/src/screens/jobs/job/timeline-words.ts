/**
 * A timeline sentence with the hour it speaks of, which the gateway leaves to the viewer's clock:
 * "Busy. Retrying, attempt 2 of 4." becomes "Busy. Retrying at 14:05, attempt 2 of 4."
 * Faxes of earlier versions say "Trying again".
 * @param hour as `shortTime` writes it: "14:05", or "Nov 22 14:05" on another day
 */
export function withHour(sentence: string, hour: string | undefined): string {
  if (!hour) return sentence
  const preposition = /^\d+:/.test(hour) ? 'at' : 'on'
  const spoken = sentence.replace(/\b(retrying|trying again)\b(?! (at|on) )/i, `$& ${preposition} ${hour}`)
  return spoken === sentence ? `${sentence} Next attempt ${preposition} ${hour}.` : spoken
}

type Tone = 'ok' | 'bad' | 'warn' | 'info'
const tones: [RegExp, Tone][] = [
  [/^delivered$/, 'ok'],
  [/^(failed|cancelled)/, 'bad'],
  [/^(retry|uncertain|conflict|delivered_again|held)/, 'warn'],
]

/** The color of an event's mark; its sentence says the same in words. */
export function toneOf(event: string): Tone {
  return tones.find(([words]) => words.test(event))?.[1] ?? 'info'
}
