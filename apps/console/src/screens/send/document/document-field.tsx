import { useEffect, useEffectEvent, useState } from 'react'
import { randomKey } from '../../../api/random-key.ts'
import { Button } from '../../../ui/control/button.tsx'
import { IconFile, IconPhoto, IconUpload } from '../../../ui/control/icons.ts'
import { Field, SelectField, TextArea } from '../../../ui/form/fields.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { type ChosenFile, type Composed, hasTones } from '../draft.ts'
import { looksLikeRecipients, readRecipientFile } from '../recipients/recipient-file.ts'
import styles from './document-field.module.css'
import { inspect, sizeInWords } from './document-kind.ts'

interface Props {
  document: Composed
  limitMb: number
  wrong: string | undefined
  onChange: (change: Partial<Composed>) => void
  /** Takes the recipients that stand in a file which was given as the document. */
  onRecipients: (text: string) => void
}

const oneOnly = 'One fax carries one document. Choose a single file.'
const accepted =
  '.pdf,.txt,.md,.markdown,.csv,.tsv,.png,.jpg,.jpeg,.tif,.tiff,.gif,.webp,.avif,.heic,.heif,.bmp,.docx,.odt,.rtf,.doc,.xlsx,.xls,.ods,.pptx,.ppt,.odp,.html,.htm,.eml,.msg'
const sources = [
  ['file', 'File'],
  ['text', 'Typed text'],
] as const
const tonesChoices = [
  { value: 'auto', label: 'Automatic' },
  { value: 'text', label: 'For text' },
  { value: 'photo', label: 'For a photograph' },
] as const
const tonesHelp = {
  auto: 'Sharp text, dithered photos.',
  text: 'Everything is black or white. Sharpest and fastest; photos lose detail.',
  photo: 'Every shade is dithered. Takes longer to send.',
}
const kindNames = {
  pdf: 'PDF',
  text: 'Text',
  png: 'PNG picture',
  jpeg: 'JPEG picture',
  tiff: 'TIFF',
  gif: 'GIF picture',
  webp: 'WebP picture',
  avif: 'AVIF picture',
  heic: 'HEIC photo',
  bmp: 'BMP picture',
  office: 'Document',
}

/** What is faxed: a file (dropped, chosen, pasted) or typed text. */
export function DocumentField({ document, limitMb, wrong, onChange, onRecipients }: Props) {
  const [refused, setRefused] = useState<string>()
  const [list, setList] = useState<File>()
  const change = (next: Partial<Composed>) => {
    setRefused(undefined)
    onChange(next)
  }
  const take = async ([file, ...more]: File[], isMeant = false) => {
    setList(undefined)
    if (!file) return
    if (!isMeant && more.length === 0 && (await looksLikeRecipients(file))) {
      setList(file)
      return
    }
    const found = more.length > 0 ? { problem: oneOnly } : await inspect(file, limitMb)
    if ('problem' in found) setRefused(found.problem)
    else change({ source: 'file', chosen: { id: randomKey(), file, kind: found.kind } })
  }
  const isOver = useOfferedFiles((files) => void take(files))
  const trouble = refused ?? wrong
  return (
    <div className={styles.document}>
      <fieldset className={styles.sources}>
        <legend className="unseen">What to send</legend>
        {sources.map(([source, label]) => (
          <label key={source}>
            <input
              type="radio"
              name="source"
              checked={document.source === source}
              onChange={() => change({ source })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {document.source === 'text' ? (
        <TextArea
          label="Text"
          rows={9}
          help="Sent as plain text. Long lines wrap."
          wrong={trouble}
          value={document.text}
          onChange={(text) => change({ text })}
        />
      ) : document.chosen ? (
        <Chosen chosen={document.chosen} wrong={trouble} onRemove={() => change({ chosen: undefined })} />
      ) : (
        <DropZone isOver={isOver} limitMb={limitMb} wrong={trouble} onTake={(files) => void take(files)} />
      )}
      {list && (
        <ListQuestion
          file={list}
          onRecipients={onRecipients}
          onDocument={() => void take([list], true)}
          onClose={() => setList(undefined)}
        />
      )}
      {hasTones(document) && (
        <SelectField
          label="Black and white"
          help={tonesHelp[document.tones]}
          value={document.tones}
          choices={tonesChoices}
          onChange={(tones) => change({ tones })}
        />
      )}
    </div>
  )
}

interface ListQuestionProps {
  file: File
  onRecipients: (text: string) => void
  onDocument: () => void
  onClose: () => void
}

/** Asks what a list of numbers is that was given as the document. */
function ListQuestion({ file, onRecipients, onDocument, onClose }: ListQuestionProps) {
  const use = async () => {
    const read = await readRecipientFile(file)
    onClose()
    if ('text' in read) onRecipients(read.text)
  }
  const footer = (
    <>
      <Button onClick={onDocument}>Fax it as a document</Button>
      <Button tone="primary" onClick={() => void use()}>
        Use as recipients
      </Button>
    </>
  )
  return (
    <Dialog title="This looks like a list of recipients" onClose={onClose} footer={footer}>
      <p>
        “{file.name}” has a fax number in most of its rows. As a document, every recipient would read the whole list.
      </p>
    </Dialog>
  )
}

interface DropZoneProps {
  isOver: boolean
  limitMb: number
  wrong: string | undefined
  onTake: (files: File[]) => void
}

function DropZone({ isOver, limitMb, wrong, onTake }: DropZoneProps) {
  return (
    <Field label="Document" wrong={wrong}>
      {(names) => (
        <div className={styles.zone} data-over={isOver || undefined} data-wrong={names['aria-invalid'] || undefined}>
          <IconUpload size="1.375rem" stroke={1.5} aria-hidden="true" />
          <p>
            Drop a file here, paste it, or <span className={styles.choose}>choose one</span>
          </p>
          <p className="quiet">PDF, TXT, Markdown, CSV, Word, email, HTML or picture · up to {limitMb} MB</p>
          <p className="quiet">Excel and PowerPoint where LibreOffice is installed on the gateway</p>
          <input
            {...names}
            type="file"
            accept={accepted}
            onChange={({ target }) => {
              onTake([...(target.files ?? [])])
              target.value = ''
            }}
          />
        </div>
      )}
    </Field>
  )
}

interface ChosenProps {
  chosen: ChosenFile
  wrong: string | undefined
  onRemove: () => void
}

function Chosen({ chosen: { file, kind }, wrong, onRemove }: ChosenProps) {
  const Shape = kind === 'pdf' || kind === 'text' || kind === 'office' ? IconFile : IconPhoto
  return (
    <div>
      <div className={styles.chosen} data-wrong={wrong ? true : undefined}>
        <Shape size="1.375rem" stroke={1.5} aria-hidden="true" />
        <p className={styles.name}>
          {file.name}
          <span>
            {kindNames[kind]} · {sizeInWords(file.size)}
          </span>
        </p>
        <Button onClick={onRemove} aria-label={`Remove ${file.name}`}>
          Remove
        </Button>
      </div>
      <p className={styles.wrong} aria-live="polite">
        {wrong}
      </p>
    </div>
  )
}

/**
 * Takes files dropped anywhere on the page or pasted into it: a drop beside the drop zone would otherwise make the
 * browser leave the console for the file.
 * @returns whether files are being dragged over the page
 */
function useOfferedFiles(take: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const takeFiles = useEffectEvent(take)

  useEffect(() => {
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const hover = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(false)
      takeFiles([...(event.dataTransfer?.files ?? [])])
    }
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      takeFiles(files)
    }
    addEventListener('dragover', hover)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    addEventListener('paste', paste)
    return () => {
      removeEventListener('dragover', hover)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
      removeEventListener('paste', paste)
    }
  }, [])
  return isOver
}
