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
  const rotations = new Map<string, RecordedEvent>()
  return {
    questions: (event) => {
      const { type, data, metadata } = event
      if (type === 'IntentRecorded' && KeyRotationAction.is(data.action)) {
        const account = `${metadata.environment} ${data.source}`
        if ((rotations.get(account)?.position ?? 0n) < event.position) rotations.set(account, event)
      }
      if (type !== 'SettlementAccountSet') return []
      return [
        async (keys) =>
          (await hasSettlementKey(holderOf(keys), event)) === false
            ? findingAt(event, `the vault has no key that ${data.account} derives from`)
            : null,
      ]
    },
    questionsAtEnd: () =>
      Array.from(
        rotations.values(),
        (event): KeyQuestion =>
          async (keys) =>
            (await hasLaterKey(holderOf(keys), event)) === false
              ? findingAt(event, `the vault lacks the key that ${event.data.source} was rotated to`)
              : null,
      ),
  }
}

const holderOf = ({ signing }: VaultKeys) => ({
  publicKey: async (name: string) => signing.get(name) ?? null,
  keysNamed: async (beginning: string) => [...signing.keys()].filter((name) => name.startsWith(beginning)).sort(),
})
