import { describe, expect, it } from 'vitest'
import { importRequestOf, readManifestText, sampleManifest } from './manifest-text.ts'

describe('the text of a manifest', () => {
  it('is one JSON object', () => {
    expect(readManifestText(sampleManifest)).toMatchObject({ manifest: { id: 'acme-fax' } })
    for (const text of ['[]', 'null', '"acme"'])
      expect(readManifestText(text)).toMatchObject({ fault: /one JSON object/ })
  })

  it('that is not JSON is refused in the words of the parser', () => {
    expect(readManifestText('{"id": }')).toMatchObject({ fault: expect.stringMatching(/not JSON\. .*JSON/) as unknown })
  })
})

describe('what is imported', () => {
  it.each([
    ['[{"id":"a"},7]', { items: [{ id: 'a' }] }],
    ['{"items":[{"id":"a"}]}', { items: [{ id: 'a' }] }],
    ['# Services\n```json\n{}\n```', { markdown: '# Services\n```json\n{}\n```' }],
    ['{"id":"a"}', { markdown: '{"id":"a"}' }],
  ])('of %j', (text, request) => {
    expect(importRequestOf(text)).toEqual(request)
  })
})
