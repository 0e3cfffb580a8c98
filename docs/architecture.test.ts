import { readFile } from 'node:fs/promises'

const root = new URL('../', import.meta.url)
const text = await readFile(new URL('docs/architecture.md', root), 'utf8')
const hops = [...text.matchAll(/^\| [^|]+ \| `([^`]+\.ts)` \| `(\w+)` \|$/gm)].map(([, file = '', name = '']) => [
  file,
  name,
])

describe('the walks of the architecture', () => {
  it('are five', () => expect([...text.matchAll(/^### /gm)]).toHaveLength(5))
  it.each(hops)('pass through %s by %s, which it exports', async (file, name) => {
    const path = /^(packages|apps)\//.test(file) ? file : `packages/billing/src/${file}`
    expect(await readFile(new URL(path, root), 'utf8')).toMatch(
      new RegExp(`^export (const|function|async function) ${name}\\b`, 'm'),
    )
  })
})
