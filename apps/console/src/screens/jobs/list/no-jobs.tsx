import { Button } from '../../../ui/control/button.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { IconJobs, IconSearch } from '../../../ui/control/icons.ts'

interface Props {
  filtered: boolean
  onClear: () => void
  onSend: () => void
}

/** No job to show: because nothing was sent yet, or nothing fits the filters. */
export function NoJobs({ filtered, onClear, onSend }: Props) {
  if (filtered) {
    return (
      <EmptyState
        icon={IconSearch}
        title="No faxes match"
        why="Clear the filters to see all faxes."
        next={<Button onClick={onClear}>Clear filters</Button>}
      />
    )
  }
  return (
    <EmptyState
      icon={IconJobs}
      title="No faxes yet"
      why="Every fax you send appears here, with its pages and outcome."
      next={
        <Button tone="primary" onClick={onSend}>
          Send a fax
        </Button>
      }
    />
  )
}
