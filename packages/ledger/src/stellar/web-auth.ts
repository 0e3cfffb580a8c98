import type { AccountId, TransactionHash } from '@quittance/domain'
import { Keypair, WebAuth } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { Authority } from '../gateway.ts'
import { transactionHash } from './transaction-hash.ts'

/** Who asks for proofs, on which network. `domain` is the host, with its port, that a wallet shows its user. */
export type WebAuthServer = {
  /** The secret (`S…`) that signs the challenges. Its account holds nothing and need not exist. */
  readonly secret: string
  readonly domain: string
  readonly networkPassphrase: string
}

/** A transaction to be signed and never to be sent: its sequence number is 0, which no account could use. */
export type Challenge = { readonly envelopeXdr: string; readonly transactionHash: TransactionHash }

/** Not a challenge of this server for this account, changed, or past its time. `cause` is for the log. */
export type ChallengeInvalid = { readonly _tag: 'ChallengeInvalid'; readonly cause: string }

/** The signatures are not those of the account's signers, or weigh too little. `cause` is for the log. */
export type SignaturesInsufficient = { readonly _tag: 'SignaturesInsufficient'; readonly cause: string }

/** How long a challenge is good, by the wall clock; its reader allows five minutes more for clocks that differ. */
export const CHALLENGE_LIFETIME_S = 15 * 60

/** A fresh challenge to prove that one can sign for an account. Source: SEP-10. Time bounds are by the wall clock. */
export const buildChallenge = (server: WebAuthServer, account: AccountId): Challenge => {
  const { secret, domain, networkPassphrase } = server
  const signer = Keypair.fromSecret(secret)
  const envelopeXdr = WebAuth.buildChallengeTx(signer, account, domain, CHALLENGE_LIFETIME_S, networkPassphrase, domain)
  const { tx } = WebAuth.readChallengeTx(envelopeXdr, signer.publicKey(), networkPassphrase, domain, domain)
  return { envelopeXdr, transactionHash: transactionHash(tx.hash()) }
}

/**
 * Reads a challenge that came back, and tells which one of ours it is: signatures do not change its hash.
 * Errors: `ChallengeInvalid` for what this server has not signed for this account (also one with a memo or of a muxed
 * account: those name a user of somebody else's), and after its time.
 */
export const readChallenge = (
  server: WebAuthServer,
  account: AccountId,
  envelopeXdr: string,
): E.Either<ChallengeInvalid, TransactionHash> =>
  E.tryCatch(
    () => {
      const { secret, domain, networkPassphrase } = server
      const serverAccount = Keypair.fromSecret(secret).publicKey()
      const read = WebAuth.readChallengeTx(envelopeXdr, serverAccount, networkPassphrase, domain, domain)
      if (read.clientAccountID !== account || read.memo !== null) throw new Error('it is for somebody else')
      return transactionHash(read.tx.hash())
    },
    (thrown) => ({ _tag: 'ChallengeInvalid', cause: String(thrown) }),
  )

/**
 * Whether those have signed a challenge who may spend from its account: signers that reach the medium threshold, or,
 * where there is no such account (`authority` null), the key that it is named by.
 * Errors: `SignaturesInsufficient`, also for a signature that is of none of them.
 */
export const verifyChallenge = (
  { secret, domain, networkPassphrase }: WebAuthServer,
  account: AccountId,
  authority: Authority | null,
  envelopeXdr: string,
): E.Either<SignaturesInsufficient, void> =>
  E.tryCatch(
    () => {
      const { signers, mediumThreshold } = authority ?? { signers: [{ key: account, weight: 1 }], mediumThreshold: 1 }
      WebAuth.verifyChallengeTxThreshold(
        envelopeXdr,
        Keypair.fromSecret(secret).publicKey(),
        networkPassphrase,
        // The ledger asks for a signature even where the threshold is 0.
        Math.max(1, mediumThreshold),
        signers.filter(({ weight }) => weight > 0).map((signer) => ({ ...signer, type: 'ed25519_public_key' })),
        domain,
        domain,
      )
    },
    (thrown) => ({ _tag: 'SignaturesInsufficient', cause: String(thrown) }),
  )
