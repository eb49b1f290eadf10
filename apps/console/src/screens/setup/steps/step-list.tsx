import { IconCheck } from '../../../ui/control/icons.ts'
import styles from '../setup.module.css'

interface Props {
  titles: readonly string[]
  current: number
  onGo: (step: number) => void
}

/** Where a person is among the steps, and a way to each. */
export function StepList({ titles, current, onGo }: Props) {
  return (
    <nav className={styles.steps} aria-label="Steps">
      <ol>
        {titles.map((title, index) => (
          <li key={title}>
            <button
              type="button"
              aria-current={index === current ? 'step' : undefined}
              data-done={index < current || undefined}
              onClick={() => onGo(index)}
            >
              <span className={styles.number}>
                {index < current ? <IconCheck size="0.875rem" stroke={2.5} aria-hidden="true" /> : index + 1}
              </span>
              <span className={styles.name}>{title}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
