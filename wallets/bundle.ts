import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const inFolder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Bundles the wallets for the hosted pages: those of the browser, and the hardware wallet, whose driver is as large as
 * all others. The result depends on this folder and its lock file alone.
 */
for (const name of ['kit', 'ledger'])
  await build({
    absWorkingDir: inFolder('.'),
    entryPoints: [`${name}.js`],
    outfile: inFolder(`../apps/http/src/page/wallets/${name}.generated.js`),
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
