import { createRequire, flushCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'

/** What jest hands to whoever runs a suite: two configurations, the suite's globals, what loads its modules, its path. */
type Run = (
  globalConfig: unknown,
  config: unknown,
  environment: { readonly global: { readonly console: Console } },
  modules: unknown,
  suite: string,
  tell: unknown,
) => Promise<unknown>

const require = createRequire(import.meta.url)
const circus: { readonly default: Run } = require('jest-circus/runner')

/** Where jest-circus keeps who listens to a run: of the run before, unless it is forgotten. */
const listeners = Symbol.for('EVENT_HANDLERS')

/**
 * Runs a suite with jest's own circus, but on Node's modules and globals instead of jest's copies of them: the sources
 * run as they do in production, types stripped by Node, and the suites of a worker share what they import. (Jest loads
 * every module anew for every suite: a second for the SDK alone.) So what a suite changes outside itself, it puts
 * back; and `--watch` would run again what it loaded first.
 */
const run: Run = async (globalConfig, config, environment, _, suite, tell) => {
  // Every `expect` records the stack: jest's hundred lines of it were a fifth of some suites.
  Error.stackTraceLimit = 20
  Reflect.deleteProperty(globalThis, listeners)
  const modules = {
    requireInternalModule: (path: string) => {
      delete require.cache[path]
      return require(path)
    },
    requireModule: require,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path: string) => import(pathToFileURL(path).href),
    setGlobalsForRuntime: () => {},
    enterTestCode: () => {},
    leaveTestCode: () => {},
  }
  const { console } = globalThis
  globalThis.console = environment.global.console
  try {
    return await circus.default(globalConfig, config, { global: globalThis }, modules, suite, tell)
  } finally {
    globalThis.console = console
    // Jest kills a worker that takes half a second to end, and Node writes what it compiled at the end.
    flushCompileCache()
  }
}

export default run
