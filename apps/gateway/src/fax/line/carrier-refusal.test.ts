import { expect, it } from 'vitest'
import { describePause } from '../../base/providers/describe-pause.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { readJob } from '../read/read-job.ts'
import { report } from './report.ts'
import { resumeFaxes } from './resume.ts'

const refusal = {
  state: 'failed',
  kind: 'bad_credentials',
  sentence: 'The carrier refused the user name or password of the trunk (401 Unauthorized).',
} as const

onSqliteFirst((open) => {
  async function refused(update: object = refusal) {
    const made = makeLine()
    const desk = await faxDesk(await open(), made)
    const { id } = await desk.submit()
    while (await desk.work());
    const attemptId = made.handed[0]?.attemptId ?? ''
    await report(desk.context, 'made', { ...refusal, ...update, attemptId })
    return { ...desk, made, id, attemptId }
  }

  it('a call that the carrier refuses for its account holds the fax, says so, and pauses the others', async () => {
    const { context, made, id, submit, work } = await refused()
    expect(await readJob(context, id)).toMatchObject({ status: 'in_progress', error: refusal.sentence })
    expect(describePause(context, made.provider)).toContain('has rejected our credentials')
    await submit({ to_number: '+15555552001' })
    while (await work());
    expect(made.handed).toHaveLength(1)
  })

  it('goes on at once with other settings', async () => {
    const { context, made, work } = await refused()
    context.breakers.forget('made')
    await resumeFaxes(context, 'made')
    while (await work());
    expect(made.handed).toHaveLength(2)
  })

  it('is reported twice and counts once', async () => {
    const { context, made, attemptId } = await refused()
    context.breakers.forget('made')
    await report(context, 'made', { ...refusal, attemptId })
    expect(describePause(context, made.provider)).toBeUndefined()
  })

  it('pauses nothing where another carrier takes the fax', async () => {
    const { context, made } = await refused({ again: 'elsewhere' })
    expect(describePause(context, made.provider)).toBeUndefined()
  })
})
