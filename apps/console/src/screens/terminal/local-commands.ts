import { type Command, columns, UsageProblem } from './command.ts'
import { demoFiles, fileNames } from './demo-files.ts'

/** What the shell itself is asked to do by a command. */
export interface ShellVerbs {
  clear: () => void
  exit: () => void
  commands: () => readonly Command[]
}

/** Commands that ask nobody. */
export function localCommands({ clear, exit, commands }: ShellVerbs): Command[] {
  return [
    {
      name: 'help',
      about: 'list the commands',
      run: ({ print }) => {
        const rows = commands().map(({ name, usage, about }) => [`  ${usage ? `${name} ${usage}` : name}`, about])
        for (const line of columns(rows)) print(line)
      },
    },
    {
      name: 'ls',
      about: 'list the demo files',
      run: ({ print }) => {
        const sizes = fileNames.map((name) => [String(demoFiles[name]?.length ?? 0).padStart(5), name])
        for (const line of columns(sizes)) print(line)
      },
    },
    {
      name: 'cat',
      usage: 'FILE',
      about: 'show a demo file',
      complete: [fileNames],
      run: ({ args, print }) => {
        const [name] = args
        if (!name) throw new UsageProblem()
        if (!Object.hasOwn(demoFiles, name)) {
          print(`cat: no demo file named ${name}. Type ls.`)
          return
        }
        for (const line of (demoFiles[name] ?? '').trimEnd().split('\n')) print(line)
      },
    },
    { name: 'clear', about: 'clear the screen', run: clear },
    {
      name: 'date',
      about: 'show the time',
      run: ({ print }) => {
        const now = new Date()
        print(now.toString())
        print(now.toISOString())
      },
    },
    { name: 'exit', about: 'end the session', run: exit },
  ]
}
