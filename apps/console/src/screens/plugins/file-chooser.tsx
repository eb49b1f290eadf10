import { useState } from 'react'
import fields from '../../ui/form/fields.module.css'
import { Field } from '../../ui/form/fields.tsx'
import styles from './plugins.module.css'

interface Props {
  label: string
  accept: string
  /** Bytes. */
  limit: number
  onText: (text: string) => void
}

const sizeInWords = (bytes: number) => (bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${bytes / 1024} KB`)

/** Reads a text file of a limited size; a larger or unreadable one is refused in a sentence. */
export function FileChooser({ label, accept, limit, onText }: Props) {
  const [refused, setRefused] = useState<string>()
  const take = async (file: File | undefined) => {
    if (!file) return
    if (file.size > limit) {
      setRefused(`“${file.name}” is larger than ${sizeInWords(limit)}. Choose a smaller file.`)
      return
    }
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
      setRefused(undefined)
      onText(text)
    } catch {
      setRefused(`“${file.name}” isn’t UTF-8 text. Choose a JSON or text file.`)
    }
  }
  return (
    <Field label={label} help={`Up to ${sizeInWords(limit)}.`} wrong={refused}>
      {(names) => (
        <input
          {...names}
          type="file"
          accept={accept}
          className={`${fields.input} ${styles.file}`}
          onChange={({ target }) => {
            void take(target.files?.[0])
            target.value = ''
          }}
        />
      )}
    </Field>
  )
}
