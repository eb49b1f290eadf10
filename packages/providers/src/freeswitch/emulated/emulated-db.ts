/** The small database of a FreeSWITCH (mod_db), which outlives its calls. */
export class EmulatedDb {
  readonly #values = new Map<string, string>()

  /** Runs the API command `db`; what it answers. */
  run(argument: string): string {
    const [verb, realm = '', key = '', ...rest] = argument.split('/')
    const name = `${realm}/${key}`
    switch (verb) {
      case 'insert': {
        this.#values.set(name, rest.join('/'))
        return '+OK'
      }
      case 'delete': {
        this.#values.delete(name)
        return '+OK'
      }
      case 'list': {
        const keys = [...this.#values.keys()].filter((each) => each.startsWith(`${realm}/`))
        return keys.map((each) => each.slice(realm.length + 1)).join(',') || '-ERR no reply\n'
      }
      case 'select':
        // The event socket says so when a command answers nothing.
        return this.#values.get(name) ?? '-ERR no reply\n'
      default:
        return '!err!'
    }
  }
}
