import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname

/** The bundles: the wallets of the browser; the hardware wallet, whose driver is as large as all others; wallets elsewhere. */
export const bundles = ['kit', 'ledger', 'walletconnect'] as const
export type Bundle = (typeof bundles)[number]

/** Where the bundles of these sources and this lock file belong: a changed source gives another folder. */
export const bundleFolder = (): string => {
  const hash = createHash('sha256')
  const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(js|ts|json)$/.test(file) && !/^(dist|node_modules)\b/.test(file))
    .toSorted()
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(here, file)))
  return join(here, 'dist', hash.digest('hex').slice(0, 16))
}

/** The text of a bundle; null where `npm run build:wallets` has not run since these sources changed. */
export const readBundle = (bundle: Bundle): string | null => {
  const file = join(bundleFolder(), `${bundle}.js`)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
