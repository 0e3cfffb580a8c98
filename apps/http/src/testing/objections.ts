import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core objects to, by rule and element. It runs beside the page, whose policy admits no scripts of others. */
export const objections = async (page: Page): Promise<ReadonlyArray<string>> => {
  const devtools = await page.context().newCDPSession(page)
  const { executionContextId } = await devtools
    .send('Page.getFrameTree')
    .then(({ frameTree }) => devtools.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id }))
  const run = (expression: string) =>
    devtools.send('Runtime.evaluate', {
      expression,
      contextId: executionContextId,
      awaitPromise: true,
      returnByValue: true,
    })
  await run(axe)
  const found = await run(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + " " + html)))',
  )
  return found.result.value
}
