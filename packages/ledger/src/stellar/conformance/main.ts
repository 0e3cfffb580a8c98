import { parseArgs } from 'node:util'
import { compareFolder } from './compare.ts'

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
})
const lines = Object.entries(comparison).map(([name, number]) => `${name.padEnd(14)}${number}\n`)
process.stdout.write(values.json === true ? `${JSON.stringify(comparison)}\n` : lines.join(''))
process.exitCode = differences === 0 ? 0 : 1
