// Adds up jest's JSON results, and what cargo printed. A step that failed outside a test, a suite that did not load or a
// suite without any test counts as a failure, so that nothing can pass by not running. Native tests may say that they
// are not run.
import { existsSync, readFileSync } from 'node:fs'

const [broken, cargo, ...files] = process.argv.slice(2)
let passed = 0
let failed = 0
const printed = existsSync(cargo) ? readFileSync(cargo, 'utf8') : ''
for (const [, well, badly, ignored] of printed.matchAll(
  /^test result: .*?(\d+) passed; (\d+) failed; (\d+) ignored/gm,
)) {
  passed += Number(well)
  failed += Number(badly) + Number(ignored)
}
if (!printed.includes('NOT RUN') && passed === 0) failed += 1
for (const file of files) {
  const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { numPassedTests: 0 }
  passed += result.numPassedTests
  failed += (result.numFailedTests ?? 0) + (result.numRuntimeErrorTestSuites ?? 0) + (result.numPendingTests ?? 0)
  if (result.numPassedTests === 0) failed += 1
}
if (Number(broken) > 0 && failed === 0) failed = Number(broken)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
