import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Bundle, readBundle } from '../../../../wallets/built.ts'
import type { Language } from './browser/language.ts'
import { scriptText } from './script-text.ts'

/** A file of the page. Its name contains its hash, so it may be cached for ever. */
export type PageAsset = { readonly contentType: string; readonly body: Buffer }

const PREFIX = '/pay-assets'
const SCRIPT = 'text/javascript; charset=utf-8'
const browserFolder = join(import.meta.dirname, 'browser')

const assets = new Map<string, PageAsset>()
const published = new Map<string, string>()

const publish = (name: string, extension: string, contentType: string, text: string): string => {
  const body = Buffer.from(text, 'utf8')
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16)
  const path = `${PREFIX}/${name}.${hash}.${extension}`
  assets.set(path, { contentType, body })
  return path
}

/**
 * Publishes a script after the scripts that it imports, under hashed names that its import lines use. So a changed
 * script renames all scripts that import it. Imports are relative and name a file of this folder.
 */
const publishScript = (file: string): string => {
  const known = published.get(file)
  if (known !== undefined) return known
  const linked = scriptText(file).replace(
    /(^(?:import|export|\}).* from |\bimport\()'(\.{1,2}\/[^']+)'/gm,
    (_, before: string, target: string) => `${before}'${publishScript(join(dirname(file), target))}'`,
  )
  const name = file.slice(browserFolder.length + 1).replace(/\.[jt]s$/, '')
  const path = publish(name.replaceAll('/', '-'), 'js', SCRIPT, linked)
  published.set(file, path)
  return path
}

/** The browser bundle of the Stellar SDK, named by its version and read when it is first requested. */
const publishSdk = (): string => {
  const root = dirname(dirname(dirname(createRequire(import.meta.url).resolve('@stellar/stellar-sdk'))))
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const path = `${PREFIX}/stellar-sdk.${version}.js`
  let body: Buffer | null = null
  assets.set(path, {
    contentType: SCRIPT,
    get body() {
      body ??= readFileSync(join(root, 'dist', 'stellar-sdk.min.js'))
      return body
    },
  })
  return path
}

/** A bundle of the kit of wallets; null where it is not built. */
const publishWallets = (bundle: Bundle): string | null => {
  const text = readBundle(bundle)
  return text === null ? null : publish(`wallets-${bundle}`, 'js', SCRIPT, text)
}

export const pageScript = publishScript(join(browserFolder, 'checkout.js'))
/** One style sheet, in cascade order: the rules for phones come last. */
export const pageStyle = publish(
  'checkout',
  'css',
  'text/css; charset=utf-8',
  [
    'base',
    'summary',
    'status',
    'payment',
    'notices',
    'sandbox',
    'choices',
    'wallet',
    'portal',
    'receipt',
    'inbox',
    'start',
    'phone',
  ]
    .map((name) => readFileSync(join(import.meta.dirname, 'style', `${name}.css`), 'utf8'))
    .join('\n'),
)
export const sdkScript = publishSdk()
/** Loaded when a payer wants to use a wallet; the driver of the Ledger only once that one is chosen. */
export const walletScripts = { kitScript: publishWallets('kit'), ledgerScript: publishWallets('ledger') }
/** Loaded once a payer chooses a wallet on another device. */
export const walletConnectScript = publishWallets('walletconnect')

/** Whether pages can offer the payer's own wallet. */
export const hasWallets = walletScripts.kitScript !== null && walletScripts.ledgerScript !== null

/** The scripts that load at once in a language; the wallet's scripts and the SDK load on demand. */
const catalogues = join(browserFolder, 'messages/')
const preloaded = [...published].filter(
  ([file, path]) => path !== pageScript && !file.startsWith(join(browserFolder, 'wallet/')),
)
export const preloadsOf = (language: Language): ReadonlyArray<string> =>
  preloaded
    .filter(([file]) => !file.startsWith(catalogues) || file === join(catalogues, `${language}.ts`))
    .map(([, path]) => path)

/** The files of the page by their path on the server. */
export const pageAssets: ReadonlyMap<string, PageAsset> = assets
