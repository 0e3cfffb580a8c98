import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../packages.ts'

export type Outcome = { readonly status: number | null; readonly output: string }

/** Runs a command to its end. `output` is what it printed, warnings of npm and Node left out. */
export const attempt = (cwd: string, command: string, ...parameters: ReadonlyArray<string>): Outcome => {
  const { status, stdout, stderr } = spawnSync(command, parameters, { cwd, encoding: 'utf8', timeout: 300_000 })
  return { status, output: `${stdout}${stderr.replace(/^npm warn.*\n|^.*Warning:.*\n|^\(Use `node.*\n/gm, '')}` }
}

/** As `attempt`, and answers the output. Throws unless the command succeeds. */
export const run = (cwd: string, command: string, ...parameters: ReadonlyArray<string>): string => {
  const { status, output } = attempt(cwd, command, ...parameters)
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${status}:\n${output}`)
  return output
}

/** A program among the repository's own dependencies. */
export const tool = (name: string): string => join(root, 'node_modules/.bin', name)
