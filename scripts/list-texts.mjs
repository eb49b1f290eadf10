import { projectFiles, readText } from './check/project-files.mjs'
import { runScript } from './problem.mjs'
import { repositoryRoot as root } from './repository.mjs'
import { textsOf } from './texts/texts-of.mjs'

/** Prints every text that people read with its place, so that all can be read in one sitting. Folders may be named. */
await runScript(async () => {
  const wanted = process.argv.slice(2)
  const isSource = (path) =>
    /^(apps|packages)\/.*\.tsx?$/.test(path) && !/\.test\.|\/testing\/|\/demo\/|emulator/.test(path)
  const isWanted = (path) => wanted.length === 0 || wanted.some((folder) => path.startsWith(folder))
  for (const path of projectFiles(root).filter((each) => isSource(each) && isWanted(each))) {
    for (const { line, text } of textsOf(path, readText(root, path) ?? '')) console.log(`${path}:${line}\t${text}`)
  }
  return 0
})
