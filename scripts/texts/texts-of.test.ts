import { expect, it } from 'vitest'
import { textsOf } from './texts-of.mjs'

const source = `import { a } from './some file.ts'
type State = 'in progress' | 'Done'
const row = { label: 'Time zone', key: 'time_zone', help: \`Leave blank for \${a} hours.\`, method: 'GET' }
const query = sql\`select a from b\`
const Card = () => (
  <section className="wide card" aria-label="Recent faxes">
    <h2>
      All clear. <b>{a}</b>
    </h2>
    <Button onClick={() => go('send')}>Send</Button>
  </section>
)
`

it('finds what people read, with its line, and passes over what only programs read', () => {
  expect(textsOf('card.tsx', source)).toEqual([
    { line: 3, text: 'Time zone' },
    { line: 3, text: 'Leave blank for {…} hours.' },
    { line: 6, text: 'Recent faxes' },
    { line: 8, text: 'All clear.' },
    { line: 10, text: 'Send' },
  ])
})
