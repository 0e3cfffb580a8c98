import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Answer } from './answer.ts'
import type { Complaint } from './complaint.ts'
import type { Screen } from './screen.ts'
import type { Site } from './site.ts'

/** Something a command takes: `--<name> <placeholder>`, or `--<name>` alone where there is no placeholder. */
export type Option =
  | { readonly placeholder: string; readonly isRequired: boolean; readonly text: string }
  | { readonly placeholder: null; readonly isRequired: false; readonly text: string }

/** One command: what a person reads about it, what it takes, and what it does. */
export type Command = {
  /** The words that call it, such as `key create`. */
  readonly name: string
  /** One line in the list of commands. */
  readonly summary: string
  readonly explanation: string
  /** The name and meaning of the word that follows the command; null where none does. */
  readonly argument: { readonly name: string; readonly text: string } | null
  readonly options: Readonly<Record<string, Option>>
  /** What follows `quittance <name>` in the example, and what is printed then. */
  readonly example: { readonly words: string; readonly prints: string; readonly json: string }
  readonly run: (given: Given, site: Site, screen: Screen) => TE.TaskEither<Complaint, Answer>
}

/** What stands on the line for one command. No value is empty. */
export type Given = {
  readonly option: (name: string) => string | null
  /** Whether an option without a value is there. */
  readonly isSet: (name: string) => boolean
  /** An option or argument that the command requires; asking for another one that is missing is a defect. */
  readonly required: (name: string) => string
}
