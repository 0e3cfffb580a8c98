import { readdir, readFile } from 'node:fs/promises'
import { performanceFiles } from '../bench/comparing/page.ts'

const files = performanceFiles()

describe('the page of performance', () => {
  it.each([...files])('%s is what the committed results make', async (path, text) =>
    expect(await readFile(new URL(path, import.meta.url), 'utf8')).toBe(text),
  )
  it('has no plots of comparisons that are gone', async () =>
    expect(
      (await readdir(new URL('performance/', import.meta.url))).map((name) => `performance/${name}`).sort(),
    ).toEqual([...files.keys()].filter((path) => path.endsWith('.svg')).sort()))
})
