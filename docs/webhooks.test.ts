import { readFileSync } from 'node:fs'
import { blocksOf } from './testing/shown.ts'

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

describe('webhooks.md', () => {
  const blocks = blocksOf(textOf('webhooks.md'))

  it('shows the route of the Express example as it runs', () => {
    const shown = blocks.filter(({ language }) => language === 'js').map(({ text }) => text)
    expect(shown).toEqual([expect.stringContaining('express.raw(')])
    for (const text of shown) expect(textOf('../examples/express-merchant/server.js')).toContain(text)
  })

  it('shows the route handler of Next.js as it runs', () =>
    expect(blocks.filter(({ language }) => language === 'ts').map(({ text }) => text)).toEqual([
      textOf('example/webhook-route.ts'),
    ]))
})
