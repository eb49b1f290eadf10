import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import styles from './account.module.css'

/** Light modules around the code, which readers need (ISO/IEC 18004, 6.3.8). */
const quiet = 4

const drawn = async (text: string) => {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { border: quiet })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return { path: path.join(''), size }
}

/** A QR code, drawn in the browser: what it says goes nowhere. Dark on white in both themes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data } = useQuery({ queryKey: ['qr', text], queryFn: () => drawn(text), gcTime: 0 })
  if (!data) return <Skeleton lines={4} height={2.5} />
  return (
    <svg className={styles.qr} viewBox={`0 0 ${data.size} ${data.size}`} role="img" aria-label={label}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={data.path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
