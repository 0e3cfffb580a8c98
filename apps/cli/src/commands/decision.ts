import { Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Given, mandatoryOption, option } from '../command.ts'
import { type Complaint, misuse } from '../complaint.ts'

const longestText = 500

const isWords = (text: string): text is Text =>
  Text.is(text) && text.trim() !== '' && text.length <= longestText && !/\p{Cc}/u.test(text)

/** What is recorded of a person's decision. */
export const decisionOptions = [
  mandatoryOption('--reason <reason>', `Recorded for ever; at most ${longestText} characters.`),
  option('--by <name>', 'Who decides it: recorded too; unless given, "operator".'),
]

/** Why a person decides, and who that is, as far as they say. */
export const decisionOf = (
  given: Given,
  command: string,
): E.Either<Complaint, { readonly reason: Text; readonly by: Text }> => {
  const [reason, by] = [given.required('reason'), given.option('by') ?? 'operator']
  if (isWords(reason) && isWords(by)) return E.right({ reason, by })
  const rule = `take 1 to ${longestText} characters, without control characters.`
  return E.left(misuse(`--reason and --by ${rule}`, command))
}
