import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { copyText } from '../words/copy-text.ts'
import { IconAlert, IconCheck, IconCopy } from './icons.ts'

interface Props {
  /** What is copied. */
  text: string
  /** The button's words: "Copy Key". */
  label?: string
  /** What is copied, for a screen reader when several stand together: "SSE address". */
  what?: string
  tone?: 'plain' | 'primary' | 'quiet'
}

/** Copies a text, confirms for two seconds, and says so to a screen reader. */
export function CopyButton({ text, label = 'Copy', what, tone = 'plain' }: Props) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(undefined), 2_000)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () =>
    copyText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    )
  const words = outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'Not copied' : label
  const Shape = outcome === 'copied' ? IconCheck : outcome === 'refused' ? IconAlert : IconCopy
  return (
    <>
      <Button icon={Shape} tone={tone} onClick={() => void copy()} aria-label={what ? `${label} ${what}` : undefined}>
        {words}
      </Button>
      <span className="unseen" role="status">
        {outcome === 'copied' && `${what ?? 'Text'} copied`}
        {outcome === 'refused' && 'Your browser blocked copying. Select the text and copy it yourself.'}
      </span>
    </>
  )
}
