import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import { checkout } from '../apps/host/src/launch/bundle.ts'

/** Sources find files beside them, also once they are bundled, and wherever the checkout has moved to. */
export const places: Plugin = {
  name: 'places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(packages|apps|wallets)\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes('import.meta.')) return null
      const file = relative(checkout, path)
      const contents = source
        .replaceAll('import.meta.dirname', `fromRoot.path(${JSON.stringify(dirname(file))})`)
        .replaceAll('import.meta.url', `fromRoot.url(${JSON.stringify(file)})`)
      return { contents, loader: 'ts' }
    })
  },
}

/**
 * These have modules beside their CommonJS, which packages ask for by the other name. Of CommonJS, a bundle makes a copy of all
 * names for each file that imports it: a tenth of the memory of a service that has just started.
 */
export const modules: Plugin = {
  name: 'modules',
  setup: ({ onResolve }) => {
    const { resolve } = createRequire(import.meta.url)
    onResolve({ filter: /^fp-ts\/(lib|es6)\/\w+(\.js)?$/ }, ({ path }) => ({
      path: resolve(`${path.replace('/lib/', '/es6/').replace(/\.js$/, '')}.js`),
    }))
    onResolve({ filter: /^io-ts$/ }, () => ({ path: resolve('io-ts/es6/index.js') }))
  },
}

const scripts = 'apps/http/src/page/browser'
export const scriptFiles = globSync(`${scripts}/**/*.{js,ts}`, { cwd: checkout })

/** The scripts of pages, so that no process takes types out of them at its start. */
export const texts: Plugin = {
  name: 'texts',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/page\/script-text\.ts$/ }, async ({ path }) => {
      const { scriptText } = await import(path)
      const all = Object.fromEntries(scriptFiles.map((file) => [file, scriptText(join(checkout, file))]))
      return {
        contents: `const texts = ${JSON.stringify(all)}
export const scriptText = (file) => texts[file.slice(fromRoot.path('').length)]`,
      }
    })
  },
}
