import { quittance } from './quittance.ts'

const screen = {
  isTerminal: process.stderr.isTTY === true,
  showsOutput: process.stdout.isTTY === true,
  write: (text: string) => void process.stderr.write(text),
}
const { status, stdout, stderr } = await quittance(process.argv.slice(2), process.env, screen)
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = status
