import styles from './masked-number.module.css'

interface Props {
  /** A phone number as the gateway masks it: "********0123". */
  number: string | null | undefined
}

/** The end of a masked phone number: "…0123". */
export function MaskedNumber({ number }: Props) {
  if (!number) return <span aria-label="unknown number">—</span>
  const end = number.slice(-4)
  return (
    <span role="img" className={styles.number} aria-label={`number ending in ${end}`}>
      …{end}
    </span>
  )
}

/** The first eight characters of an id; the whole of it while pointed at. */
export function ShortId({ id }: { id: string }) {
  return <code title={id}>{id.slice(0, 8)}</code>
}
