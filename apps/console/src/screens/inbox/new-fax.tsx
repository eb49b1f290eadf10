import type { InboundFax } from '@faxdeck/contract'
import { useState } from 'react'
import { countPages, grouped } from '../../ui/words/figures.ts'

const wordsOf = ([fax, ...others]: readonly InboundFax[]): string => {
  if (!fax) return ''
  if (others.length > 0) return `${grouped(others.length + 1)} new faxes`
  const from = fax.fr ? ` from …${fax.fr.slice(-4)}` : ''
  return `New fax${from}${fax.pages === null ? '' : `, ${countPages(fax.pages)}`}`
}

interface Props {
  /** Newest first; undefined until they are here. */
  faxes: readonly InboundFax[] | undefined
  /** Which list it is: faxes that come with another one are not new. */
  list: string
}

/** Says to a screen reader that a fax has come: "New fax from …0123, 1 page". */
export function NewFax({ faxes, list }: Props) {
  const [{ newest, of, words }, setSeen] = useState<{ newest?: string; of: string; words: string }>({
    of: list,
    words: '',
  })
  const first = faxes?.reduce((last, { received_at: at }) => (at > last ? at : last), '')
  if (of !== list) setSeen({ of: list, words: '' })
  else if (first !== undefined && newest === undefined) setSeen({ newest: first, of, words })
  else if (faxes && first !== undefined && newest !== undefined && first > newest)
    setSeen({ newest: first, of, words: wordsOf(faxes.filter(({ received_at: at }) => at > newest)) })
  return (
    <p className="unseen" role="status">
      {words}
    </p>
  )
}
