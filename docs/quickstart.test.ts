import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { configFrom } from '@quittance/host'
import { startProcess } from '@quittance/http/testing/child-process'
import { temporaryDirectory } from '@quittance/http/testing/service'

const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = ['README.md', 'docs/README.md', 'docs/quickstart.md']

/** The fenced blocks of a page, in order. */
const fencedIn = (page: string) =>
  [...textOf(page).matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }))

/** A matcher of a shown answer: the fields that it shows, and of a text the part before its `…`. */
const asShown = (shown: unknown): unknown => {
  if (typeof shown === 'string' && shown.endsWith('…')) return expect.stringMatching(startingWith(shown.slice(0, -1)))
  if (Array.isArray(shown)) return shown.map(asShown)
  if (typeof shown !== 'object' || shown === null) return shown
  return expect.objectContaining(Object.fromEntries(Object.entries(shown).map(([key, each]) => [key, asShown(each)])))
}
const startingWith = (text: string): RegExp => new RegExp(`^${text.replaceAll(/[^\w]/g, '\\$&')}.`)

const end = '--- the end of a block ---'

it('the quickstart gives the shown answers, with a shell and curl alone', async () => {
  const directory = temporaryDirectory()
  const service = await startProcess(join(directory.path, 'data'))
  try {
    const steps = fencedIn('docs/quickstart.md').filter(({ text }) => !/^npm /.test(text))
    const script = steps.filter(({ language }) => language === 'sh').map(({ text }) => `${text}echo '${end}'\n`)
    const { stdout } = await promisify(execFile)('sh', ['-euc', `exec 2>&1\n${script.join('')}`], {
      cwd: directory.path,
      timeout: 60_000,
    })
    const printed = stdout.split(`${end}\n`)
    let asked = 0
    let compared = 0
    for (const { language, text } of steps) {
      if (language === 'sh') asked += 1
      else {
        compared += 1
        const lastLine = printed[asked - 1]?.trim().split('\n').at(-1) ?? ''
        if (language === 'text') expect(lastLine).toBe(text.trim())
        else expect(JSON.parse(lastLine)).toEqual(asShown(JSON.parse(text)))
      }
    }
    expect(compared).toBeGreaterThan(10)
    expect(await service.stop()).toBe(0)
  } finally {
    await service.kill()
    directory.remove()
  }
}, 120_000)

describe.each(pages)('%s', (page) => {
  it('names only scripts that npm can run', () => {
    const { scripts } = JSON.parse(textOf('package.json'))
    const named = [...textOf(page).matchAll(/npm (?:run ([\w:]+)|(start|test)\b)/g)].map(([, run, own]) => run ?? own)
    expect(named.filter((name) => name === undefined || scripts[name] === undefined)).toEqual([])
  })

  it('links only to existing files', () => {
    const linked = [...textOf(page).matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)].map(([, path = '']) =>
      join(root, dirname(page), path),
    )
    expect(linked.length).toBeGreaterThan(0)
    expect(linked.filter((path) => !existsSync(path))).toEqual([])
  })
})

it('the index links to every page of docs', () => {
  const index = textOf('docs/README.md')
  const all = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md')
  expect(all.filter((name) => !index.includes(`](${name})`))).toEqual([])
})

it('README.md lists the variables that the configuration reads, and no others', () => {
  const read = new Set<string>()
  configFrom(new Proxy({}, { get: (_, name) => void read.add(String(name)) }))
  const listed = [...textOf('README.md').matchAll(/`(QUITTANCE_\w+)`/g)].map(([, name]) => name)
  expect([...new Set(listed)].sort()).toEqual([...read].sort())
})
