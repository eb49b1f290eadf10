import { nameFaults, wordFaults } from './check/house-rules.mjs'
import { projectFiles, readText } from './check/project-files.mjs'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'

await runScript(async () => {
  const faults = projectFiles(repositoryRoot).flatMap((path) => [
    ...nameFaults(path),
    ...wordFaults(path, readText(repositoryRoot, path) ?? ''),
  ])
  for (const fault of faults) console.log(fault)
  return faults.length > 0 ? 1 : 0
})
