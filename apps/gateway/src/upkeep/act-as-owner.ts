import { statSync } from 'node:fs'

/** Does something with the rights that the process was started with. It must not wait: nothing else may run meanwhile. */
type WithOwnRights = <T>(work: () => T) => T

/**
 * Lets root go on as the user who owns a folder, so that what is written there belongs to that user. Others go on as they are.
 * @param directory is there
 */
export function actAsOwner(directory: string): WithOwnRights {
  const { uid, gid } = statSync(directory)
  if (process.getuid?.() !== 0 || uid === 0) return (work) => work()
  process.setgroups?.([gid])
  process.setegid?.(gid)
  process.seteuid?.(uid)
  return (work) => {
    process.seteuid?.(0)
    try {
      return work()
    } finally {
      process.seteuid?.(uid)
    }
  }
}
