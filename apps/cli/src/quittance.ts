import * as E from 'fp-ts/lib/Either.js'
import type { CommandResult } from './command.ts'
import { type CommandError, usageError } from './command-error.ts'
import { readLine } from './command-line.ts'
import { installationOf } from './installation.ts'
import { noScreen, type Screen } from './screen.ts'

/** What a run leaves behind. */
export type Outcome = { readonly status: 0 | 1 | 2; readonly stdout: string; readonly stderr: string }

/**
 * Runs one command line; `argv` begins after the program's name.
 * With `--json` the result is one JSON value on stdout, an error `{ error, code }` on stderr, and the screen is written
 * to only if a person watches it.
 * Status: 0 done; 1 refused, failed, or found not to be in order; 2 the command line or the configuration is wrong.
 */
export const quittance = async (
  argv: ReadonlyArray<string>,
  settings: Readonly<Record<string, string | undefined>>,
  screen: Screen,
): Promise<Outcome> => {
  const isJson = argv.includes('--json')
  const request = readLine(argv)
  switch (request._tag) {
    case 'misuse':
      return failed(usageError(request.error), request.path, isJson)
    case 'help':
      return succeeded({ status: 0, json: { help: request.page }, text: request.page }, isJson)
    case 'command': {
      const { command, line } = request
      const { needsSoundLog } = command
      const isGated = typeof needsSoundLog === 'boolean' ? needsSoundLog : needsSoundLog(line)
      const result = await command.run(
        line,
        installationOf(settings, isGated),
        isJson && !screen.isTerminal ? noScreen : screen,
      )
      return E.isLeft(result) ? failed(result.left, command.name, isJson) : succeeded(result.right, isJson)
    }
  }
}

const succeeded = ({ status, json, text }: CommandResult, isJson: boolean): Outcome => ({
  status,
  stdout: isJson ? `${JSON.stringify(json)}\n` : `${text}\n`,
  stderr: '',
})

/** `path` is the command or the group that the line names. */
const failed = ({ status, code, error }: CommandError, path: string, isJson: boolean): Outcome => {
  const help = code === 'usage' ? `\nSee: ${`quittance ${path}`.trim()} --help` : ''
  return { status, stdout: '', stderr: isJson ? `${JSON.stringify({ error, code })}\n` : `${error}${help}\n` }
}
