import { projectFiles, readText } from './check/project-files.mjs'
import { sizeFault } from './check/sizes.mjs'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'

await runScript(async () => {
  const faults = projectFiles(repositoryRoot).flatMap(
    (path) => sizeFault(path, readText(repositoryRoot, path) ?? '') ?? [],
  )
  for (const fault of faults) console.log(fault)
  return faults.length > 0 ? 1 : 0
})
