import { KeyRotationAction, type RecordedEvent } from '@quittance/domain'
import { hasLaterKey, hasSettlementKey } from '../../operator/missing-keys.ts'
import type { VaultKeys } from '../../stores/vault/read-vault.ts'
import { findingAt } from '../log-check.ts'
import type { KeyQuestion } from './key-question.ts'

/** Asks whether each account derives from its key, and whether the key is there that it was rotated to last. */
export interface SigningAccounts {
  readonly questions: (event: RecordedEvent) => ReadonlyArray<KeyQuestion>
  readonly questionsAtEnd: () => ReadonlyArray<KeyQuestion>
}

export const signingAccounts = (): SigningAccounts => {
  // An earlier key of an account may be lost: the newest one has the weight.
  const rotations = new Map<string, KeyQuestion>()
  return {
    questions: (event) => {
      const { type, data, metadata } = event
      if (type === 'IntentRecorded' && KeyRotationAction.is(data.action))
        rotations.set(`${metadata.environment} ${data.source}`, async (keys) =>
          (await hasLaterKey(holderOf(keys), event)) === false
            ? findingAt(event, `the vault lacks the key that ${data.source} was rotated to`)
            : null,
        )
      if (type !== 'SettlementAccountSet') return []
      return [
        async (keys) =>
          (await hasSettlementKey(holderOf(keys), event)) === false
            ? findingAt(event, `the vault has no key that ${data.account} derives from`)
            : null,
      ]
    },
    questionsAtEnd: () => [...rotations.values()],
  }
}

const holderOf = ({ signing }: VaultKeys) => ({
  publicKey: async (name: string) => signing.get(name) ?? null,
  keysNamed: async (beginning: string) => [...signing.keys()].filter((name) => name.startsWith(beginning)).sort(),
})
