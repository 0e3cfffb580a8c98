// Adds up jest's JSON results. A step that failed outside a test, a suite that did not load or a suite without any test
// counts as a failure, so that nothing can pass by not running.
import { existsSync, readFileSync } from 'node:fs'

const [broken, ...files] = process.argv.slice(2)
let passed = 0
let failed = 0
for (const file of files) {
  const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { numPassedTests: 0 }
  passed += result.numPassedTests
  failed += (result.numFailedTests ?? 0) + (result.numRuntimeErrorTestSuites ?? 0) + (result.numPendingTests ?? 0)
  if (result.numPassedTests === 0) failed += 1
}
if (Number(broken) > 0 && failed === 0) failed = Number(broken)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
