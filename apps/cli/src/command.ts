import { type Argument, Option } from 'commander'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Answer } from './answer.ts'
import type { Complaint } from './complaint.ts'
import type { Screen } from './screen.ts'
import type { Site } from './site.ts'

/** One command: its help, its options, and its work. */
export type Command = {
  /** The words that call it, such as `key create`. */
  readonly name: string
  /** One line in the list of commands. */
  readonly summary: string
  readonly explanation: string
  readonly argument?: Argument
  readonly options: ReadonlyArray<Option>
  /** What follows `quittance <name>` in the example, and its output. */
  readonly example: { readonly words: string; readonly prints: string; readonly json: string }
  readonly run: (given: Given, site: Site, screen: Screen) => TE.TaskEither<Complaint, Answer>
}

/** The options and the argument of one command line. No value is empty. */
export type Given = {
  readonly option: (name: string) => string | null
  /** Whether an option without a value is there. */
  readonly isSet: (name: string) => boolean
  /** A mandatory option, or the argument. Throws where the command does not declare it as such. */
  readonly required: (name: string) => string
}

/** An option with a value. Commander would take a following option for a value that is not optional. */
export const option = (flags: string, text: string): Option =>
  Object.assign(new Option(flags, text), { required: false, optional: true })

export const mandatoryOption = (flags: string, text: string): Option => option(flags, text).makeOptionMandatory()
