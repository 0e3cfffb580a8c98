import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const runbook = textOf('runbook.md')

/** The anchors that a page's headings have. */
const anchorsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe('the runbook', () => {
  it('has a section for each alert, and none for any other', () => {
    const { groups }: { groups: ReadonlyArray<{ rules: ReadonlyArray<{ alert: string }> }> } = parse(
      textOf('../deploy/prometheus/alerts.yaml'),
    )
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
    const sections = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    expect([...sections].sort()).toEqual([...alerts].sort())
  })

  it.each([...runbook.matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => target))('leads to %s', (target) => {
    const [page = '', anchor] = target.split('#')
    if (page !== '') expect(existsSync(new URL(page, import.meta.url))).toBe(true)
    if (anchor !== undefined) expect(anchorsIn(page === '' ? runbook : textOf(page))).toContain(anchor)
  })
})
