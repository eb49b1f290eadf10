export interface Snippet {
  key: 'node' | 'python' | 'curl'
  label: string
  blocks: { title: string; code: string }[]
}

/** Of the client libraries; a release changes it. */
export const sdkVersion = '1.1.0'

const nodeSend = (baseUrl: string) => `// send.mjs: run it with node send.mjs
import { Faxdeck } from 'faxdeck'

const faxdeck = new Faxdeck({ baseUrl: '${baseUrl}', apiKey: process.env.FAXDECK_API_KEY })
const fax = await faxdeck.sendFax('+15555550123', 'letter.pdf')
console.log(fax.id, fax.status)`

const pythonSend = (baseUrl: string) => `import os
from faxdeck import Faxdeck

faxdeck = Faxdeck("${baseUrl}", api_key=os.environ["FAXDECK_API_KEY"])
fax = faxdeck.send_fax("+15555550123", "letter.pdf")
print(fax.id, fax.status)`

const curlSend = (baseUrl: string) => `curl ${baseUrl}/fax \\
  -H "X-API-Key: $FAXDECK_API_KEY" \\
  -F to=+15555550123 \\
  -F file=@letter.pdf`

/** Where the gateway gives its own files: a name in a public registry is nobody’s yet, so a stranger could take it. */
const downloads = (baseUrl: string, file: string) => `${baseUrl}/downloads/${file}`

/**
 * How to install a client and send a fax with it, by language, what needs no client first. The number is the test line's: it always delivers.
 * @param baseUrl where the gateway answers, without a trailing slash
 */
export function snippetsFor(baseUrl: string): Snippet[] {
  return [
    { key: 'curl', label: 'curl', blocks: [{ title: 'Send', code: curlSend(baseUrl) }] },
    {
      key: 'node',
      label: 'Node',
      blocks: [
        { title: 'Install', code: `npm install ${downloads(baseUrl, `faxdeck-${sdkVersion}.tgz`)}` },
        { title: 'Send', code: nodeSend(baseUrl) },
      ],
    },
    {
      key: 'python',
      label: 'Python',
      blocks: [
        { title: 'Install', code: `pip install ${downloads(baseUrl, `faxdeck-${sdkVersion}-py3-none-any.whl`)}` },
        { title: 'Send', code: pythonSend(baseUrl) },
      ],
    },
  ]
}
