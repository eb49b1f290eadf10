import { useSession } from '../../session/session.ts'

/** The way to a place; undefined while the place does not exist here, so that nothing looks as if it led there. */
export function useWay(target: string): (() => void) | undefined {
  const { canGo, go } = useSession()
  return canGo(target) ? () => go(target) : undefined
}
