import { nameFaults, sizeFaults, wordFaults } from './check/file-faults.mjs'
import { projectFiles, readText } from './check/project-files.mjs'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'

await runScript(async () => {
  const faults = projectFiles(repositoryRoot).flatMap((path) => {
    const text = readText(repositoryRoot, path) ?? ''
    return [...nameFaults(path), ...wordFaults(path, text), ...sizeFaults(path, text)]
  })
  for (const fault of faults) console.log(fault)
  return faults.length > 0 ? 1 : 0
})
