import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFolder, bundles } from './built.ts'

const here = import.meta.dirname

/** None of their scripts runs; they are gone once they are bundled. */
const install = (): void => {
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: here })
}

const bundler = (): Promise<typeof import('esbuild') | null> => import('esbuild').catch(() => null)

const bundle = async ({ build }: typeof import('esbuild'), folder: string): Promise<void> => {
  for (const name of bundles)
    await build({
      absWorkingDir: here,
      entryPoints: [`${name}.js`],
      outfile: join(folder, `${name}.js`),
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      legalComments: 'none',
      define: { global: 'globalThis' },
      inject: name === 'ledger' ? ['./adapters/buffer.js'] : [],
      alias: {
        '@stellar/stellar-sdk': './adapters/stellar-sdk.js',
        '@creit.tech/xbull-wallet-connect': './adapters/xbull.js',
        '@lobstrco/signer-extension-api': './adapters/lobstr.js',
      },
      logLevel: 'warning',
    })
}

// Bundles the wallets for the hosted pages, where their sources have changed since.
const folder = bundleFolder()
const esbuild = await bundler()
if (!existsSync(folder) && esbuild === null) {
  process.stdout.write('Without esbuild the wallets are not bundled: pages offer none but the sandbox’s.\n')
} else if (!existsSync(folder) && esbuild !== null) {
  const building = `${folder}.${process.pid}`
  install()
  await bundle(esbuild, building)
  renameSync(building, folder)
  rmSync(join(here, 'node_modules'), { recursive: true })
}
