import { parseArgs } from 'node:util'
import { compareFolder } from './compare.ts'
import { FolderUnreadable } from './published.ts'

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true })
const [folder] = positionals
if (folder === undefined || positionals.length > 1) {
  process.stderr.write('npm run conformance -- <folder> [--json]\n')
  process.exit(2)
}

let differences = 0
const comparison = await compareFolder(folder, (difference) => {
  differences++
  process.stderr.write(`${difference}\n`)
}).catch((thrown: unknown) => {
  if (!(thrown instanceof FolderUnreadable)) throw thrown
  process.stderr.write(`nothing can be compared: ${thrown.message}\n`)
  process.exit(2)
})
if (comparison.ledgers === 0) process.stderr.write('there are no ledgers in the folder\n')
const lines = Object.entries(comparison).map(([name, number]) => `${name.padEnd(16)}${number}\n`)
process.stdout.write(values.json === true ? `${JSON.stringify(comparison)}\n` : lines.join(''))
process.exitCode = differences === 0 && comparison.ledgers > 0 ? 0 : 1
