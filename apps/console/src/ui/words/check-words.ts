const spelled: Record<string, string> = Object.fromEntries(
  ['API', 'URL', 'HTTPS', 'PDF', 'TTL', 'AMI', 'ESL', 'KMS', 'ID'].map((word) => [word.toLowerCase(), word]),
)

/** A name of the wire as people write it: "api_key_set" is "API key set". */
export function wordsFor(name: string): string {
  const text = name
    .split('_')
    .map((word) => spelled[word] ?? word)
    .join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
