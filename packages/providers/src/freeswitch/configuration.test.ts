import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expand, preprocess, readXml, type Tag } from './emulated/emulated-configuration.ts'
import { EmulatedDb } from './emulated/emulated-db.ts'
import { EmulatedDialplan } from './emulated/emulated-reception.ts'
import { shippedDialplan } from './received.ts'

const shipped = readFileSync(new URL('dialplan/faxdeck.xml', import.meta.url), 'utf8')

const allOf = (tags: readonly Tag[]): Tag[] => tags.flatMap((tag) => [tag, ...allOf(tag.children)])

describe('the dialplan that we hand out, read as FreeSWITCH reads it', () => {
  const globals = new Map([['faxdeck_dir', '/srv/faxdata/lines/freeswitch']])
  const tags = readXml(preprocess(shipped, globals))
  const data = allOf(tags).flatMap(({ attributes }) => attributes.data ?? [])

  it('leaves the folder as the operator set it', () => {
    expect(globals.get('faxdeck_dir')).toBe('/srv/faxdata/lines/freeswitch')
    expect(data).toContain('/srv/faxdata/lines/freeswitch/inbox/${uuid}.tif')
  })

  it('sets nothing but its own version', () => {
    expect(Object.fromEntries(globals)).toEqual({
      faxdeck_dir: '/srv/faxdata/lines/freeswitch',
      faxdeck_dialplan: shippedDialplan,
    })
  })

  it('holds no tag of the pre-processor in a comment', () => {
    for (const [comment] of shipped.matchAll(/<!--.*?-->/gs)) expect(comment).not.toMatch(/x-pre-process|<!--#/i)
  })

  it('is one extension with the actions of its file, in their order', () => {
    expect(tags.map(({ name, attributes }) => [name, attributes.name])).toEqual([['extension', 'faxdeck-in']])
    const applications = allOf(tags).flatMap(({ attributes }) => attributes.application ?? [])
    expect(applications).toEqual([...shipped.matchAll(/<action application="(\w+)"/g)].map(([, name]) => name))
  })
})

describe('the page for operators, followed as it stands', () => {
  const page = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/```xml\n(.*?)```/gs)].map(([, text = '']) => text.replace(/^ +/gm, ''))
  const vars = blocks.filter((text) => text.includes('X-PRE-PROCESS')).join('\n')

  it('sets codecs and the folder in vars.xml, and gives the gateway our number', () => {
    const globals = new Map<string, string>()
    expect(readXml(preprocess(vars, globals))).toEqual([])
    expect(Object.fromEntries(globals)).toEqual({
      global_codec_prefs: 'PCMU,PCMA',
      outbound_codec_prefs: 'PCMU,PCMA',
      faxdeck_dir: '/path/to/faxdata/lines/freeswitch',
    })
    const ofGateway = blocks.filter((text) => !text.includes('X-PRE-PROCESS')).flatMap((text) => readXml(text))
    expect(ofGateway).toMatchObject([{ name: 'param', attributes: { name: 'caller-id-in-from', value: 'true' } }])
  })

  it('brings a fax into the folder that it names, and FreeSWITCH remembers it', async () => {
    const db = new EmulatedDb()
    const dialplan = new EmulatedDialplan(db)
    dialplan.load(vars.replace('/path/to/faxdata', '/srv/faxdata'), shipped)
    const written: string[] = []
    const uuid = 'f1d4f4d9-61e9-4841-8436-0e41054d97e4'
    const write = async (path: string) => written.push(path) > 0
    const { ran } = await dialplan.take({ uuid, from: '+15558880003', to: '+15550000000', pages: 1, write })
    expect(ran).toContain('rxfax')
    expect(written).toEqual([`/srv/faxdata/lines/freeswitch/inbox/${uuid}.tif`])
    expect(db.run(`select/faxdeck_in/${uuid}`)).toBe('+15550000000:+15558880003')
    expect(db.run(`select/faxdeck_ended/${uuid}`)).toBe('1:1:OK')
  })

  it('has no other number taken', async () => {
    const dialplan = new EmulatedDialplan(new EmulatedDb())
    dialplan.load(vars, shipped)
    const call = { uuid: '', from: '1', pages: 1, write: () => Promise.resolve(true) }
    expect((await dialplan.take({ ...call, to: '+15550000001' })).ran).toEqual([])
    expect((await dialplan.take({ ...call, to: '15550000000' })).ran).toContain('rxfax')
  })

  it('names the modules that the dialplan needs', () => {
    for (const name of ['mod_spandsp', 'mod_db', 'mod_tone_stream']) expect(page).toContain(`\`${name}\``)
  })
})

describe('reading configuration as FreeSWITCH does', () => {
  it('obeys the pre-processor in comments, and takes its lines out', () => {
    const globals = new Map([['folder', '/right']])
    const text = '<!--\n  <X-PRE-PROCESS cmd="set" data="folder = /wrong"/>\n-->\n<a b="$${folder}$${none}"/>'
    expect(readXml(preprocess(text, globals))).toEqual([{ name: 'a', attributes: { b: '/wrong' }, children: [] }])
    expect(preprocess('a\nsays X-PRE-PROCESS\n<include>x\nb', globals)).toBe('a\nb')
  })

  it.each(['<!-- a -- b -->', '<!-- a', '<a><b></a>', '<a>', '<a'])('refuses %j', (text) => {
    expect(() => readXml(text)).toThrow()
  })

  it('fills a value in once per reading, and a stroke holds back one reading', () => {
    const valueOf = (name: string) => (name === 'x' ? 'X' : `[${name}]`)
    expect(expand('${x}/${db(a/${x})}', valueOf)).toBe('X/[db(a/X)]')
    const once = expand('\\\\\\${x}', valueOf)
    expect(once).toBe('\\${x}')
    expect(expand(once, valueOf)).toBe('${x}')
    expect(expand(expand(once, valueOf), valueOf)).toBe('X')
  })
})
