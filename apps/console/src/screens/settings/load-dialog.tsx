import { Confirm } from '../../ui/overlay/confirm.tsx'

interface Props {
  onLoad: () => void
  onClose: () => void
}

/** Asks before the settings as they are take the place of what is entered. */
export function LoadDialog({ onLoad, onClose }: Props) {
  const load = () => {
    onClose()
    onLoad()
  }
  return (
    <Confirm title="Load the settings again?" verb="Load" danger onConfirm={load} onClose={onClose}>
      <p>What you have changed here is not saved, and is lost.</p>
    </Confirm>
  )
}
