import { readFileSync } from 'node:fs'
import { createClient } from '@quittance/client'
import { blocksOf } from './testing/shown.ts'

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const page = textOf('client.md')

describe('client.md', () => {
  const client: Readonly<Record<string, unknown>> = createClient({ baseUrl: 'http://service.example' })

  it('shows the code that runs in a test', () =>
    expect(
      blocksOf(page)
        .map(({ text }) => text)
        .join('\n'),
    ).toBe(textOf('example/client-guide.ts')))

  it('lists every part of the client', () => {
    const [table = ''] = /^\| \| \|\n.*?\n\n/ms.exec(page) ?? []
    const listed = [...table.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    const parts = listed.filter((name) => !['wallets', 'apiKey', 'appToken', 'environment'].includes(name))
    expect(parts.sort()).toEqual(Object.keys(client).sort())
  })

  it('names only methods that there are', () => {
    const prose = page.replaceAll(/^```.*?^```$/gms, '')
    const named = [...prose.matchAll(/`(\w+)\.(\w+)\(/g)].map(([, part = '', method = '']) => [part, method] as const)
    expect(named.length).toBeGreaterThan(7)
    const missing = named.filter(([part, method]) => typeof Reflect.get(Object(client[part]), method) !== 'function')
    expect(missing).toEqual([])
  })
})
