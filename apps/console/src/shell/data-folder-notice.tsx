import { useState } from 'react'
import { client } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Confirm } from '../ui/overlay/confirm.tsx'
import styles from './banners.module.css'

type Move = 'moved' | 'copied'

const questions = {
  moved: {
    title: 'Was the data folder moved?',
    text: 'Its faxes go on from here. If another gateway still uses the original, every waiting fax is sent twice.',
    verb: 'Send from here',
  },
  copied: {
    title: 'Is this a copy?',
    text: 'Every fax here that has not ended is held, because the original sends it. You can release or cancel each of them.',
    verb: 'Hold its faxes',
  },
} as const

/** Asks what became of a data folder that is found in another place. Nothing is sent until somebody answers. */
export function DataFolderNotice({ from, mayAnswer }: { from: string; mayAnswer: boolean }) {
  const [asked, setAsked] = useState<Move>()
  const answer = useAction((was: Move) => client.settleDataFolder({ body: { was } }), {
    onDone: () => setAsked(undefined),
    refreshes: [['config'], ['health-status']],
  })
  return (
    <>
      <div className={styles.banner} data-tone="bad">
        <p>
          Nothing is sent: the data folder is not where it was ({from}). Was it moved, or copied while the original goes
          on?
          {mayAnswer && (
            <>
              <button type="button" onClick={() => setAsked('moved')}>
                It was moved
              </button>
              <button type="button" onClick={() => setAsked('copied')}>
                It is a copy
              </button>
            </>
          )}
        </p>
      </div>
      {asked && (
        <Confirm
          title={questions[asked].title}
          verb={questions[asked].verb}
          danger={asked === 'moved'}
          action={answer}
          onConfirm={() => answer.run(asked)}
          onClose={() => setAsked(undefined)}
        >
          {questions[asked].text}
        </Confirm>
      )}
    </>
  )
}
