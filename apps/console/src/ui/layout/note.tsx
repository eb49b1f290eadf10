import type { ReactNode } from 'react'
import { IconAlert, IconCheck, IconInfo } from '../control/icons.ts'
import styles from './note.module.css'

const looks = { info: IconInfo, warn: IconAlert, ok: IconCheck } as const

interface Props {
  tone?: keyof typeof looks
  children: ReactNode
}

/** A remark beside what it is about: something to know, to beware of, or that went well. Not announced. */
export function Note({ tone = 'info', children }: Props) {
  const Shape = looks[tone]
  return (
    <div className={styles.note} data-tone={tone}>
      <Shape size="1.125rem" aria-hidden="true" />
      <div>{children}</div>
    </div>
  )
}
