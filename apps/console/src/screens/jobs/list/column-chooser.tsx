import { IconColumns } from '../../../ui/control/icons.ts'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { alwaysShown, jobColumns } from './job-columns.tsx'

interface Props {
  hidden: readonly string[]
  onChange: (hidden: readonly string[]) => void
}

/** Which columns the list has. */
export function ColumnChooser({ hidden, onChange }: Props) {
  const items = jobColumns((id) => id)
    .filter(({ key }) => !alwaysShown.has(key))
    .map(({ key, label }) => {
      const isHidden = hidden.includes(key)
      const others = hidden.filter((each) => each !== key)
      return { key, label, checked: !isHidden, onChoose: () => onChange(isHidden ? others : [...others, key]) }
    })
  return <Menu icon={IconColumns} label="Columns" items={items} several />
}
