import { Confirm } from '../../../ui/overlay/confirm.tsx'

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
    <Confirm title="Reload the settings?" verb="Load" danger onConfirm={load} onClose={onClose}>
      <p>Your unsaved changes will be lost.</p>
    </Confirm>
  )
}
