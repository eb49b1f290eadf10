import { describe, expect, it } from 'vitest'
import { contradictionIn, type KnownFax } from '../outcome/same-fax.ts'
import type { OutgoingFax, Provider } from '../provider.ts'
import { account, type FindTrial } from './conformance-find.ts'

const [ours, others] = ['+15555550107', '+15555550123']
const never = new AbortController().signal

const knownOf = ({ attemptId, to, jobId, providerId }: OutgoingFax & { providerId?: string }): KnownFax => ({
  attemptId,
  providerId,
  to,
  documentPath: `/fax/${jobId}/pdf`,
})

/** Tries that an answer says whose it is, so that one about another fax is recognized: see `contradictionIn`. */
export function describeAnswers(provider: Provider, trial: FindTrial): void {
  /** Two faxes of ours that it has taken. */
  const two = async () => {
    const opened = await account(provider, trial)
    return { ...opened, other: await opened.send(others), fax: await opened.send(ours) }
  }

  describe('answering about another fax than it was asked about', () => {
    it('to a submission gives the id of that one', async () => {
      const { send, mixUp, fax } = await two()
      mixUp.replays = true
      expect((await send('+15555550124')).providerId).toBe(fax.providerId)
      expect(fax.providerId).toBeDefined()
    })

    it('to a poll says so, and not when it is asked truly', async () => {
      const { line, mixUp, other, fax } = await two()
      const id = fax.providerId ?? ''
      const asked = await line.status?.(id, never)
      expect(asked && contradictionIn(asked, knownOf(fax))).toBeUndefined()
      mixUp.url = (url) => url.replaceAll(id, other.providerId ?? '')
      const mixedUp = await line.status?.(id, never)
      expect(mixedUp && contradictionIn(mixedUp, knownOf(fax))).toBeDefined()
    })

    it('in a list tells two faxes to two numbers apart, even under one id', async () => {
      const { line, other, fax } = await two()
      const listed = (await line.listSent?.(new Date(Date.now() - 60_000), never)) ?? []
      expect(listed.map(({ providerId }) => providerId).sort()).toEqual([other.providerId, fax.providerId].sort())
      for (const entry of listed) {
        const { providerId: _, ...unnamed } = entry
        const isOurs = entry.providerId === fax.providerId
        expect(contradictionIn(unnamed, knownOf(fax)) === undefined).toBe(isOurs)
      }
    })
  })
}
