import { Button } from '../ui/control/button.tsx'
import { IconDownload } from '../ui/control/icons.ts'
import { saveFile } from './download.ts'

interface Props {
  text: string
  /** Of the file: "diagnostics.json". */
  name: string
  /** Its media type. */
  type: string
  disabled?: boolean
}

/** Hands a text that is shown to the person as a file. */
export function DownloadButton({ text, name, type, disabled = false }: Props) {
  return (
    <Button icon={IconDownload} disabled={disabled} onClick={() => saveFile(new Blob([text], { type }), name)}>
      Download
    </Button>
  )
}
