import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Answer } from './answer.ts'
import { type Line, readLine } from './command-line.ts'
import { type Complaint, isMisuse } from './complaint.ts'
import { noScreen, type Screen } from './screen.ts'
import { siteOf } from './site.ts'

/** What a run leaves behind. */
export type Outcome = { readonly status: 0 | 1 | 2; readonly stdout: string; readonly stderr: string }

/**
 * Runs one command line; `argv` begins after the program's name.
 * With `--json` the answer is one JSON value on stdout, an error `{ error, code }` on stderr. The screen is then written
 * to only where a person watches.
 * Status: 0 done; 1 refused, failed, or found not to be in order; 2 the line or the configuration has to be put right.
 */
export const quittance = async (
  argv: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>>,
  screen: Screen,
): Promise<Outcome> => {
  const isJson = argv.includes('--json')
  const line = readLine(argv)
  if (E.isLeft(line)) return complained(line.left, isJson)
  const answer = await follow(line.right, environment, isJson && !screen.isTerminal ? noScreen : screen)()
  return E.isLeft(answer) ? complained(answer.left, isJson) : answered(answer.right, isJson)
}

const follow = (
  line: Line,
  environment: Readonly<Record<string, string | undefined>>,
  screen: Screen,
): TE.TaskEither<Complaint, Answer> =>
  line._tag === 'help'
    ? TE.right({ status: 0, json: { help: line.page }, text: line.page })
    : line.command.run(line.given, siteOf(environment), screen)

const answered = ({ status, json, text }: Answer, isJson: boolean): Outcome => ({
  status,
  stdout: isJson ? `${JSON.stringify(json)}\n` : `${text}\n`,
  stderr: '',
})

const complained = (complaint: Complaint, isJson: boolean): Outcome => {
  const { status, code, error } = complaint
  const more = isMisuse(complaint) ? `\n${complaint.helpLine}` : ''
  return { status, stdout: '', stderr: isJson ? `${JSON.stringify({ error, code })}\n` : `${error}${more}\n` }
}
