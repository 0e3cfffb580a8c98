import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type App, bundleOf, checkout } from './bundle.ts'

/**
 * Runs a program from its bundle, which starts in a third of the time, or from its sources where these have changed since
 * they were bundled. What Node compiles is kept beside the installed packages, where whoever may write could change those too.
 */
export const launch = async (app: App, fromSources: () => Promise<unknown>): Promise<void> => {
  if (process.env.NODE_COMPILE_CACHE === undefined) enableCompileCache(join(checkout, 'node_modules/.cache/compiled'))
  const bundle = bundleOf(app)
  await (bundle === null ? fromSources() : import(pathToFileURL(bundle).href))
}
