import { CallProblem } from '@faxdeck/contract/client'
import { describe, expect, it } from 'vitest'
import {
  addRecipients,
  blankDraft,
  changeDocument,
  documentOf,
  holdsWork,
  problemsOf,
  recipientsOf,
  removeRecipient,
  settle,
  settleBroadcast,
  settleSplit,
  startSending,
} from './draft.ts'

const letter = { id: 'l1', file: new File(['%PDF-1.7'], 'letter.pdf'), kind: 'pdf' as const }
const call = {
  method: 'POST',
  path: '/fax',
  failure: 'Failed to send fax',
  shortError: 'Send failed',
  reply: 'json' as const,
}
const problem = new CallProblem(call, 503, 'Service Unavailable')
const twoOffices = { ...blankDraft, recipients: ['(555) 555-0123', '(555) 555-0100'], chosen: letter }

describe('recipients', () => {
  it('include a whole number that still stands in the field, once', () => {
    expect(recipientsOf({ ...blankDraft, typed: '(555) 555-0123' })).toEqual(['(555) 555-0123'])
    expect(recipientsOf({ ...twoOffices, typed: '555-555-0123' })).toEqual(twoOffices.recipients)
    expect(recipientsOf({ ...blankDraft, typed: '555' })).toEqual([])
  })

  it('are added once each, and what is no number stays to be corrected', () => {
    const draft = addRecipients(twoOffices, '5555550123, 5555550199, 12', 'US')
    expect(draft.recipients).toEqual(['(555) 555-0123', '(555) 555-0100', '(555) 555-0199'])
    expect(draft.typed).toBe('12')
  })

  it('are removed together with what failed for them', () => {
    const draft = removeRecipient({ ...twoOffices, failed: [{ to: '(555) 555-0100', problem }] }, '(555) 555-0100')
    expect(draft).toMatchObject({ recipients: ['(555) 555-0123'], failed: [] })
  })
})

describe('what stands in the way of sending', () => {
  it('is named for each field', () => {
    expect(problemsOf(blankDraft)).toEqual({
      number: 'Please enter a valid phone number',
      document: 'Please select a PDF or TXT file to send',
    })
    expect(problemsOf(twoOffices)).toEqual({ number: undefined, document: undefined })
  })

  it('includes a half-typed number beside whole ones', () => {
    expect(problemsOf({ ...twoOffices, typed: '555' }).number).toBe('Please enter a valid phone number')
  })
})

describe('the document', () => {
  it('is typed text as a UTF-8 file when there is no file', async () => {
    const file = documentOf({ source: 'text', chosen: letter, text: 'Grüße' })
    expect([file?.name, file?.type, await file?.text()]).toEqual(['typed-text.txt', 'text/plain', 'Grüße'])
    expect(documentOf({ source: 'text', chosen: letter, text: ' \n' })).toBeUndefined()
  })

  it('forgets the keys of an earlier document', () => {
    const tried = { ...twoOffices, keys: [{ to: '(555) 555-0123', key: 'k1' }] }
    expect(changeDocument(tried, { source: 'text' }).keys).toEqual([])
  })
})

describe('handing over', () => {
  it('takes in the number still in the field and gives each recipient one key', () => {
    let made = 0
    const draft = startSending({ ...twoOffices, typed: '(555) 555-0199' }, () => `k${(made += 1)}`)
    expect(draft).toMatchObject({ typed: '', sending: true })
    expect(draft.keys).toEqual([
      { to: '(555) 555-0123', key: 'k1' },
      { to: '(555) 555-0100', key: 'k2' },
      { to: '(555) 555-0199', key: 'k3' },
    ])
  })

  it('keeps the keys of an earlier try, so that a retry is not a second fax', () => {
    const tried = { ...twoOffices, keys: [{ to: '(555) 555-0100', key: 'first' }] }
    expect(startSending(tried, () => 'new').keys.map(({ key }) => key)).toEqual(['new', 'first'])
  })
})

describe('after sending', () => {
  const sent = [{ id: 'a'.repeat(32), to: '(555) 555-0123', status: 'queued' }]

  it('everything is cleared when every fax was accepted', () => {
    const draft = settle(twoOffices, twoOffices, sent, [])
    expect(holdsWork(draft)).toBe(false)
    expect(draft.sent).toEqual(sent)
  })

  it('refused recipients stay with their key and the document', () => {
    const keys = [
      { to: '(555) 555-0123', key: 'k1' },
      { to: '(555) 555-0100', key: 'k2' },
    ]
    const failed = [{ to: '(555) 555-0100', problem }]
    expect(settle({ ...twoOffices, keys }, twoOffices, sent, failed)).toMatchObject({
      recipients: ['(555) 555-0100'],
      chosen: letter,
      keys: [{ to: '(555) 555-0100', key: 'k2' }],
      failed,
    })
  })

  it('what was entered while they were handed over stays', () => {
    const next = { id: 'l2', file: new File(['x'], 'next.txt'), kind: 'text' as const }
    const meanwhile = { ...twoOffices, recipients: [...twoOffices.recipients, '(555) 555-0199'], typed: '55' }
    expect(settle(meanwhile, twoOffices, sent, [])).toMatchObject({ recipients: ['(555) 555-0199'], typed: '55' })
    expect(settle({ ...twoOffices, chosen: next }, twoOffices, sent, []).chosen).toBe(next)
  })

  it('a group chosen meanwhile is another fax: its document stays', () => {
    const meanwhile = { ...twoOffices, group: 'g2' }
    const settled = [
      settle(meanwhile, twoOffices, sent, []),
      settleSplit(meanwhile, twoOffices, sent),
      settleBroadcast(meanwhile, twoOffices),
    ]
    expect(settled.map(({ chosen, group }) => ({ chosen, group }))).toEqual(
      settled.map(() => ({ chosen: letter, group: 'g2' })),
    )
  })

  it('a list pasted while its broadcast was handed over stays, and the one handed over goes', () => {
    const list = (to: string) => {
      return { recipients: [{ row: 1, to, name: null, reference: null }], duplicates: [], refused: [] }
    }
    const started = { ...twoOffices, recipients: [], list: list('+15555550123') }
    const meanwhile = { ...started, list: list('+15555550188') }
    expect(settleBroadcast(meanwhile, started).list).toBe(meanwhile.list)
    expect(settleBroadcast(started, started).list).toBeUndefined()
  })
})
