import { type Argument, Option } from 'commander'
import type * as E from 'fp-ts/lib/Either.js'
import type { CommandError } from './command-error.ts'
import type { Installation } from './installation.ts'
import type { Screen } from './screen.ts'

/** One command: its help, its options, and its work. */
export type Command = {
  /** The words that call it, such as `key create`. */
  readonly name: string
  /** One line in the list of commands. */
  readonly summary: string
  readonly explanation: string
  readonly argument?: Argument
  readonly options: ReadonlyArray<Option>
  /** Whether the work records, makes keys or sends: then it is refused while the log went back. */
  readonly needsSoundLog: boolean | ((line: ParsedLine) => boolean)
  /** What follows `quittance <name>` in the example, and its output. */
  readonly example: { readonly words: string; readonly prints: string; readonly json: string }
  readonly run: (
    line: ParsedLine,
    installation: Installation,
    screen: Screen,
  ) => Promise<E.Either<CommandError, CommandResult>>
}

/** What a command found or did, for programs and for people. Status 1: it found that something is not in order. */
export type CommandResult = { readonly status: 0 | 1; readonly json: unknown; readonly text: string }

/** The options and the argument of one command line. No value is empty. */
export type ParsedLine = {
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
