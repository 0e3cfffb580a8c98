import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleOf, type FileState, manifestIn, stateOf } from './bundle.ts'

const root = mkdtempSync(join(tmpdir(), 'quittance-bundle-'))
const source = join(root, 'program.ts')
const other = join(root, 'other.ts')

const bundled = (): void => {
  writeFileSync(source, 'export const one = 1')
  writeFileSync(other, 'export const two = 2')
  const states = [source, other].map((file): readonly [string, FileState | null] => [
    file.slice(root.length + 1),
    stateOf(file),
  ])
  mkdirSync(join(root, 'dist/apps'), { recursive: true })
  writeFileSync(manifestIn(root), JSON.stringify({ folder: 'made', sources: Object.fromEntries(states) }))
}

beforeEach(bundled)
afterAll(() => rmSync(root, { recursive: true }))

const changes: ReadonlyArray<readonly [string, () => void]> = [
  ['has another size', () => writeFileSync(other, 'export const two = 22')],
  ['was written at another time', () => utimesSync(other, 1, 1)],
  ['is gone', () => rmSync(other)],
]

describe('the bundle of a program', () => {
  it('is used while its sources are as they were', () => {
    expect(bundleOf('cli', root)).toBe(join(root, 'dist/apps/made/cli.js'))
  })

  it.each(changes)('is not used once a source %s', (_, change) => {
    change()
    expect(bundleOf('cli', root)).toBe(null)
  })

  it('is not used where its manifest is missing or torn', () => {
    writeFileSync(manifestIn(root), '{"folder":')
    expect(bundleOf('cli', root)).toBe(null)
    rmSync(manifestIn(root))
    expect(bundleOf('cli', root)).toBe(null)
  })
})
