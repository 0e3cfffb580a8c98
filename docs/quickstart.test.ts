import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configFrom } from '@quittance/host'

const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = ['README.md', 'docs/README.md', 'docs/quickstart.md']

describe.each(pages)('%s', (page) => {
  it('names only scripts that npm can run', () => {
    const { scripts } = JSON.parse(textOf('package.json'))
    const named = [...textOf(page).matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, run, own]) => run ?? own)
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
  const listed = [...textOf('README.md').matchAll(/`((?:QUITTANCE|OTEL)_\w+)`/g)].map(([, name]) => name)
  expect([...new Set(listed)].sort()).toEqual([...read].sort())
})
