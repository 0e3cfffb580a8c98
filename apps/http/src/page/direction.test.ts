import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../../..')
const sheets = globSync(['apps/http/src/page/style/*.css', 'apps/dashboard/src/**/*.css'], { cwd: root })

/** Sides of the screen. A page that is read from right to left is turned by `start` and `end`. */
const isOfSide = (declaration: string): boolean => {
  const [property = '', value = ''] = declaration.split(':').map((each) => each.trim())
  if (/(^|-)(left|right)(-|$)/.test(property)) return true
  if (/^(text-align|float|clear|justify-content|justify-self)$/.test(property)) return /\b(left|right)\b/.test(value)
  if (!/^(margin|padding|inset|border-(width|style|color))$/.test(property)) return false
  const [, right, , left] = value.split(/\s+(?![^(]*\))/)
  return left !== undefined && left !== right
}

const declarations = (css: string): ReadonlyArray<string> =>
  [...css.replace(/\/\*.*?\*\//gs, '').matchAll(/[{;]\s*([\w-]+\s*:[^;{}]+)(?=[;}])/g)].map(([, each = '']) => each)

describe('style sheets', () => {
  it('know a side of the screen when they see it', () => {
    const css = '.a { margin: 1px 2px 1px 3px; left: 0; color: red; text-align: end; padding: 1px 2px }'
    expect(declarations(css).filter(isOfSide)).toEqual(['margin: 1px 2px 1px 3px', 'left: 0'])
  })

  it('are found, of pages and of the dashboard', () => {
    expect(sheets.some((path) => path.startsWith('apps/http'))).toBe(true)
    expect(sheets.some((path) => path.startsWith('apps/dashboard'))).toBe(true)
  })

  it.each(sheets)('name no side of the screen: %s', (path) =>
    expect(declarations(readFileSync(join(root, path), 'utf8')).filter(isOfSide)).toEqual([]),
  )
})
