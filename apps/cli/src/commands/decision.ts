import { isPlainText, type Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { mandatoryOption, option, type ParsedLine } from '../command.ts'
import { type CommandError, usageError } from '../command-error.ts'

const longestText = 500

export const reasonOption = mandatoryOption(
  '--reason <reason>',
  `Why; recorded for ever, at most ${longestText} characters.`,
)

export const decisionOptions = [
  reasonOption,
  option('--by <name>', 'The person who decides; recorded too. "operator" unless given.'),
]

/** The reason for a decision, and the name of the person who decides. */
export const decisionOf = (
  line: ParsedLine,
  name: 'by' | 'actor' = 'by',
): E.Either<CommandError, { readonly reason: Text; readonly by: Text }> => {
  const [reason, by] = [line.required('reason'), line.option(name) ?? 'operator']
  if (isPlainText(reason, longestText) && isPlainText(by, longestText)) return E.right({ reason, by })
  return E.left(usageError(`--reason and --${name} take 1 to ${longestText} characters, without control characters.`))
}
