import type { VaultKeys, VaultUnread } from '../../stores/vault/read-vault.ts'
import { type Finding, findingIn, type LogCheck } from '../log-check.ts'
import type { KeyQuestion } from './key-question.ts'
import { sealedData } from './sealed-data.ts'
import { signingAccounts } from './signing-accounts.ts'

/**
 * Checks that a vault is the one of a log: each customer with personal data has a key that opens it, unless the log records the
 * erasure; the log's keyed hashes are those of the data; each account derives from its key. `keys` were read before the log,
 * and keys are made before events need them, so what seems wrong is looked at again with keys that `again` reads.
 */
export const keysCheck = (keys: VaultKeys, again: () => Promise<VaultKeys | VaultUnread | null>): LogCheck => {
  const parts = [signingAccounts(), sealedData()]
  const doubtful: Array<KeyQuestion> = []
  const ask = async (questions: ReadonlyArray<KeyQuestion>): Promise<void> => {
    for (const question of questions) if ((await question(keys)) !== null) doubtful.push(question)
  }
  return {
    see: (event) => {
      const questions = parts.flatMap((part) => part.questions(event))
      return questions.length === 0 ? undefined : ask(questions)
    },
    end: async () => {
      for (const part of parts) await ask(part.questionsAtEnd())
      const known = doubtful.length + keys.unreadable.length === 0 ? keys : await again()
      if (known === null || '_tag' in known) return [findingIn(null, 'the vault cannot be read any more')]
      const found: Array<Finding> = known.unreadable.map((name) =>
        findingIn(null, `vault: ${name} does not open: it was altered, or moved there from another name`),
      )
      for (const question of doubtful) {
        const finding = await question(known)
        if (finding !== null) found.push(finding)
      }
      return found
    },
  }
}
