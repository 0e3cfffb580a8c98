import { readdir, readFile } from 'node:fs/promises'
import { growthFiles } from '../bench/comparing/growth-page.ts'
import { performanceFiles } from '../bench/comparing/page.ts'
import { longRunFiles } from '../bench/long-runs/page.ts'

describe.each([
  ['performance', performanceFiles()],
  ['growth', growthFiles()],
  ['long-runs', longRunFiles()],
])('the page of %s', (name, files) => {
  it.each([...files])('%s is what the committed results make', async (path, text) =>
    expect(await readFile(new URL(path, import.meta.url), 'utf8')).toBe(text),
  )
  it('has no plots of what is measured no more', async () =>
    expect((await readdir(new URL(`${name}/`, import.meta.url))).map((plot) => `${name}/${plot}`).sort()).toEqual(
      [...files.keys()].filter((path) => path.endsWith('.svg')).sort(),
    ))
})
