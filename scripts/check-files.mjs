import { nameFaults, sizeFaults, wordFaults } from './check/file-faults.mjs'
import { folderFaults } from './check/folder-faults.mjs'
import { projectFiles, readText } from './check/project-files.mjs'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'

await runScript(async () => {
  const files = new Map(projectFiles(repositoryRoot).map((path) => [path, readText(repositoryRoot, path) ?? '']))
  const ofFiles = [...files].flatMap(([path, text]) => [
    ...nameFaults(path),
    ...wordFaults(path, text),
    ...sizeFaults(path, text),
  ])
  const faults = [...ofFiles, ...folderFaults(files)]
  for (const fault of faults) console.log(fault)
  return faults.length > 0 ? 1 : 0
})
