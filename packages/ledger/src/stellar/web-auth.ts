import { randomBytes } from 'node:crypto'
import type { AccountId, TransactionHash } from '@quittance/domain'
import { Account, BASE_FEE, Operation, TransactionBuilder, WebAuth } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Authority } from '../gateway.ts'
import type { SignerUnavailable, SigningKey } from '../signing/signing-key.ts'
import { signTransaction } from './keys.ts'
import { transactionHash } from './transaction-hash.ts'

/**
 * The server that asks for proofs, on one network. `account` names the key that signs the challenges; it need not
 * exist. `domain` is the host, with its port, that a wallet shows its user.
 */
export type WebAuthServer = {
  readonly account: AccountId
  readonly domain: string
  readonly networkPassphrase: string
}

/** A transaction to sign and never to send: its sequence number is 0, which no account could use. */
export type Challenge = { readonly envelopeXdr: string; readonly transactionHash: TransactionHash }

/** No challenge of this server for this account, a changed one, or an expired one. `cause` is for the log. */
export type ChallengeInvalid = { readonly _tag: 'ChallengeInvalid'; readonly cause: string }

/** Signatures of others than the account's signers, or of too little weight. `cause` is for the log. */
export type SignaturesInsufficient = { readonly _tag: 'SignaturesInsufficient'; readonly cause: string }

/** How long a challenge is valid, by the wall clock; its reader allows five minutes more for clocks that differ. */
export const CHALLENGE_LIFETIME_S = 15 * 60

const nonceBytes = 48

/**
 * A fresh challenge to prove that one can sign for an account, signed by the server's key. Time bounds are by the wall
 * clock. Source: SEP-10.
 */
export const buildChallenge = (
  { account: server, domain, networkPassphrase }: WebAuthServer,
  signer: SigningKey,
  account: AccountId,
): TE.TaskEither<SignerUnavailable, Challenge> => {
  const now = Math.floor(Date.now() / 1000)
  const challenge = new TransactionBuilder(new Account(server, '-1'), {
    fee: BASE_FEE,
    networkPassphrase,
    timebounds: { minTime: now, maxTime: now + CHALLENGE_LIFETIME_S },
  })
    .addOperation(
      Operation.manageData({
        name: `${domain} auth`,
        value: randomBytes(nonceBytes).toString('base64'),
        source: account,
      }),
    )
    .addOperation(Operation.manageData({ name: 'web_auth_domain', value: domain, source: server }))
    .build()
  return async () => {
    const signed = await signTransaction(challenge.toXdr(), networkPassphrase, signer)()
    if (E.isLeft(signed)) return signed
    return E.right({ envelopeXdr: signed.right, transactionHash: transactionHash(challenge.hash()) })
  }
}

/**
 * Reads a challenge that came back, and returns its hash, which signatures do not change.
 * Errors: `ChallengeInvalid` for what this server has not signed for this account (also one with a memo or of a muxed
 * account, which name somebody else's user), and after its time.
 */
export const readChallenge = (
  server: WebAuthServer,
  account: AccountId,
  envelopeXdr: string,
): E.Either<ChallengeInvalid, TransactionHash> =>
  E.tryCatch(
    () => {
      const { domain, networkPassphrase } = server
      const read = WebAuth.readChallengeTx(envelopeXdr, server.account, networkPassphrase, domain, domain)
      if (read.clientAccountID !== account || read.memo !== null) throw new Error('it is for somebody else')
      return transactionHash(read.tx.hash())
    },
    (thrown) => ({ _tag: 'ChallengeInvalid', cause: String(thrown) }),
  )

/**
 * Checks that a challenge is signed by those who may spend from its account: signers that reach the medium threshold,
 * or, where there is no such account (`authority` null), the key that names it.
 * Errors: `SignaturesInsufficient`, also for a signature of anyone else.
 */
export const verifyChallenge = (
  { account: server, domain, networkPassphrase }: WebAuthServer,
  account: AccountId,
  authority: Pick<Authority, 'signers' | 'mediumThreshold'> | null,
  envelopeXdr: string,
): E.Either<SignaturesInsufficient, void> =>
  E.tryCatch(
    () => {
      const { signers, mediumThreshold } = authority ?? { signers: [{ key: account, weight: 1 }], mediumThreshold: 1 }
      WebAuth.verifyChallengeTxThreshold(
        envelopeXdr,
        server,
        networkPassphrase,
        // The ledger asks for a signature even where the threshold is 0.
        Math.max(1, mediumThreshold),
        signers
          .filter(({ key, weight }) => weight > 0 && key.startsWith('G'))
          .map((signer) => ({ ...signer, type: 'ed25519_public_key' })),
        domain,
        domain,
      )
    },
    (thrown) => ({ _tag: 'SignaturesInsufficient', cause: String(thrown) }),
  )
