import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { SourceTextModule } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { pageAssets, pageScript, pageStyle, preloadsOf, sdkScript } from './assets.ts'
import { languages } from './browser/language.ts'

const scripts = [...pageAssets].filter(([path]) => path.endsWith('.js') && path !== sdkScript)

describe('the files of the page', () => {
  it('puts the hash of its content in the name of each file', () => {
    for (const [path, { body }] of [...scripts, [pageStyle, pageAssets.get(pageStyle) ?? { body: '' }] as const]) {
      expect(path).toContain(`.${createHash('sha256').update(body).digest('hex').slice(0, 16)}.`)
    }
  })

  it.each(scripts)('serves %s as JavaScript whose imports exist', (_path, { contentType, body }) => {
    expect(contentType).toBe('text/javascript; charset=utf-8')
    const text = body.toString('utf8')
    const module = new SourceTextModule(text)
    const lazy = [...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, target]) => target)
    const targets = [...module.moduleRequests.map(({ specifier }) => specifier), ...lazy]
    expect(targets.filter((target) => !pageAssets.has(target ?? ''))).toEqual([])
  })

  it.each(languages)('loads all files at once in %s, except those of the wallet and of other languages', (language) => {
    const preloads = preloadsOf(language)
    expect(preloads.every((path) => pageAssets.has(path))).toBe(true)
    expect(
      [pageScript, ...preloads].filter((path) => path.startsWith('/pay-assets/wallet') || path === sdkScript),
    ).toEqual([])
    const catalogues = preloads.flatMap((path) => /\/messages-(\w+)\./.exec(path)?.[1] ?? [])
    expect(catalogues).toEqual([language])
  })

  it.each(languages)(
    'takes less than 30 kB in %s for all that a page loads before a wallet is asked for',
    (language) => {
      const sizes = [pageStyle, pageScript, ...preloadsOf(language)].map((path) => {
        const asset = pageAssets.get(path)
        if (asset === undefined) throw new Error(`nothing is at ${path}`)
        return gzipSync(asset.body).length
      })
      expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(30_000)
    },
  )

  it('includes the published SDK under its version', () => {
    const bundle = `${dirname(dirname(dirname(createRequire(import.meta.url).resolve('@stellar/stellar-sdk'))))}/dist/stellar-sdk.min.js`
    expect(pageAssets.get(sdkScript)?.body.equals(readFileSync(bundle))).toBe(true)
    expect(sdkScript).toMatch(/^\/pay-assets\/stellar-sdk\.\d+\.\d+\.\d+\.js$/)
  })
})
